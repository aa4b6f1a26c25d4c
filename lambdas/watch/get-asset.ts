import { readFile } from 'node:fs/promises'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { ApiProblem, protection } from '../http/problem.ts'

/** The assets beside the function's code. Nothing else of that folder is served. */
const TYPES: Readonly<Record<string, string>> = {
  'watch.js': 'text/javascript; charset=utf-8',
  'watch.css': 'text/css; charset=utf-8',
}

/** `GET /assets/{file}`: returns a script or a style sheet of the page. */
export async function getAsset({ pathParameters }: APIGatewayProxyEventV2) {
  const file = pathParameters?.file ?? ''
  const type = Object.hasOwn(TYPES, file) ? TYPES[file] : undefined
  if (type === undefined) throw new ApiProblem('unknown-file', 'There is no such file.')
  const headers = { 'content-type': type, ...protection, 'cache-control': 'public, max-age=300' }
  return { statusCode: 200, headers, body: await readFile(new URL(file, import.meta.url), 'utf8') }
}
