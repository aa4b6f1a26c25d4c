import { createHash } from 'node:crypto'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { protection, varying } from './problem.ts'

/** Returns the ETag of an answer by what it depends on. */
export const etagOf = (...parts: readonly unknown[]) =>
  `"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 27)}"`

/**
 * Adds an ETag to the answer of a GET, unless it has one, and answers 304 if the caller has this version already. Callers that
 * poll send it as If-None-Match.
 */
export function conditional(
  { headers, requestContext }: Pick<APIGatewayProxyEventV2, 'headers' | 'requestContext'>,
  answer: APIGatewayProxyStructuredResultV2,
): APIGatewayProxyStructuredResultV2 {
  if (requestContext.http.method !== 'GET' || answer.statusCode !== 200) return answer
  const etag = String(answer.headers?.etag ?? etagOf(answer.body))
  const caching = answer.headers?.['cache-control'] ?? 'no-store'
  const given = (headers['if-none-match'] ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''))
  if (!given.includes(etag) && !given.includes('*')) return { ...answer, headers: { ...answer.headers, etag } }
  return { statusCode: 304, headers: { etag, 'cache-control': caching, ...protection, ...varying } }
}
