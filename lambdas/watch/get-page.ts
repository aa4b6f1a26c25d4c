import { readFile } from 'node:fs/promises'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import type { Services } from '../../lib/services.ts'
import { ApiProblem, protection } from '../http/problem.ts'

/** The page's files beside the function's code. Nothing else of that folder is served. */
const TYPES: Readonly<Record<string, string>> = {
  'watch.html': 'text/html; charset=utf-8',
  'watch.js': 'text/javascript; charset=utf-8',
  'watch.css': 'text/css; charset=utf-8',
}

/** `GET /watch/{archiveId}`: returns the page, which then requests the recording with the credentials of its URL. */
export const getPage = async (
  _event: APIGatewayProxyEventV2,
  { storage, variable }: Pick<Services, 'storage' | 'variable'>,
) =>
  serve('watch.html', {
    'content-security-policy': policyFor(new URL(await storage.link('any', 1)).origin, variable('FRAME_ANCESTORS')),
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  })

/** `GET /assets/{file}`: returns a script or a style sheet of the page. */
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

/** Allows own scripts and styles, and files of the bucket. hls.js feeds the player through a `blob:` URL. */
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
