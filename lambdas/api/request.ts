import type { APIGatewayProxyEventV2WithJWTAuthorizer } from 'aws-lambda'
import { ApiProblem } from './problem.ts'

export type ApiEvent = APIGatewayProxyEventV2WithJWTAuthorizer

const MOST_ITEMS = 100

/** The JSON body. */
export function readJson({ body, isBase64Encoded }: ApiEvent): unknown {
  const text = body && isBase64Encoded ? Buffer.from(body, 'base64').toString() : body
  if (!text) throw new ApiProblem(400, 'The request has no body: send a JSON document.')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ApiProblem(400, `The body is not JSON (${(error as Error).message}).`)
  }
}

/** `limit` (1 to 100, default 50) and `cursor` (of the page before) of a list. */
export function readPage({ queryStringParameters: query }: ApiEvent): { limit: number; after?: string } {
  const limit = Number(query?.limit ?? 50)
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_ITEMS)
    throw new ApiProblem(400, `limit must be a whole number from 1 to ${MOST_ITEMS}.`)
  const cursor = query?.cursor
  if (cursor !== undefined && !/^\d{13}-[0-9A-Za-z-]{1,64}$/.test(cursor))
    throw new ApiProblem(400, 'cursor is not one that a list has given.')
  return { limit, ...(cursor && { after: cursor }) }
}

/** Who calls: the token's subject. */
export const callerOf = ({ requestContext }: ApiEvent) => String(requestContext.authorizer?.jwt?.claims.sub ?? '')

export const ok = (body: unknown, statusCode = 200) => ({
  statusCode,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
})
