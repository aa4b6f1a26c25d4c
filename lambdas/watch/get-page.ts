import { readFile } from 'node:fs/promises'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import type { Services } from '../../lib/services.ts'
import { ApiProblem, protection } from '../http/problem.ts'

/** The page's files, which lie beside the function's code; nothing else of that folder is served. */
const TYPES: Readonly<Record<string, string>> = {
  'watch.html': 'text/html; charset=utf-8',
  'watch.js': 'text/javascript; charset=utf-8',
  'watch.css': 'text/css; charset=utf-8',
}

/** `GET /watch/{archiveId}`: the page, which then asks for the recording by the credentials of its own address. */
export const getPage = async (_event: APIGatewayProxyEventV2, { storage, variable }: Services) =>
  serve('watch.html', {
    'content-security-policy': policyFor(new URL(await storage.link('any', 1)).origin, variable('FRAME_ANCESTORS')),
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  })

/** `GET /assets/{file}` */
export async function getAsset({ pathParameters }: APIGatewayProxyEventV2) {
  const file = pathParameters?.file ?? ''
  if (!Object.hasOwn(TYPES, file) || file === 'watch.html')
    throw new ApiProblem('unknown-file', 'There is no such file.')
  return serve(file, { 'cache-control': 'public, max-age=300' })
}

async function serve(file: string, headers: Record<string, string>): Promise<APIGatewayProxyStructuredResultV2> {
  const body = await readFile(new URL(file, import.meta.url), 'utf8')
  return {
    statusCode: 200,
    headers: { 'content-type': TYPES[file] ?? '', ...protection, ...headers },
    body,
  }
}

/** Scripts and styles of its own only, files of the bucket only. hls.js feeds the player through a `blob:` address. */
const policyFor = (files: string, ancestors: string) =>
  [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self'`,
    `img-src 'self' data: ${files}`,
    `media-src blob: ${files}`,
    `connect-src 'self' ${files}`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors ${ancestors}`,
    `require-trusted-types-for 'script'`,
  ].join('; ')
