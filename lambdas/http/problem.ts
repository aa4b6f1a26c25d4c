import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { ForeignKeysError } from '../../lib/records/own-keys.ts'
import { platformProblem } from '../../lib/show/controls/platform-problems.ts'

/** One thing that is wrong with a request, and where. */
export interface Detail {
  readonly path: string
  readonly message: string
}

/** A request that is refused; becomes a problem document (RFC 9457). `detail` is a sentence that says what to do. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly status: number
  readonly problems: readonly Detail[] | undefined

  constructor(status: number, detail: string, problems?: readonly Detail[]) {
    super(detail)
    this.status = status
    this.problems = problems
  }
}

/** Headers of every answer: it is what its type says, and is only ever fetched over TLS. */
export const protection = {
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000',
} as const

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  413: 'Content Too Large',
  422: 'Unprocessable Content',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  504: 'Gateway Timeout',
}

/** What of an error the caller is told: of one that is neither a refusal nor the platform's only the request's id. */
export function problemOf(error: unknown, requestId: string): ApiProblem {
  if (error instanceof ApiProblem) return error
  if (error instanceof ForeignKeysError)
    return new ApiProblem(
      500,
      `The manifest of recording ${error.archiveId} names files that are not its own, so none is linked: publish it again with POST /recordings/${error.archiveId}/rebuild.`,
    )
  const platform = platformProblem(error)
  if (platform) return new ApiProblem(platform.status, platform.words)
  return new ApiProblem(500, `Showrunner failed; ask its operator to look up request ${requestId} in the log.`)
}

export function problemResponse({ status, message, problems }: ApiProblem) {
  const title = TITLES[status] ?? 'Error'
  const body = { type: 'about:blank', title, status, detail: message, ...(problems && { problems }) }
  const headers = { 'content-type': 'application/problem+json', ...protection }
  return { statusCode: status, headers, body: JSON.stringify(body) } satisfies APIGatewayProxyStructuredResultV2
}
