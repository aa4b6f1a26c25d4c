import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { problemTitle, problemUri } from '../../lib/api/problem-names.ts'
import { type ProblemType, problemTypes } from '../../lib/api/problem-types.ts'
import { retryAfterOf } from '../../lib/api/retry-after.ts'
import { ForeignKeysError } from '../../lib/records/foreign-keys.ts'
import { platformProblem } from '../../lib/show/controls/platform-problems.ts'

export interface Detail {
  readonly path: string
  readonly message: string
}

/** A request that is refused; becomes a problem document (RFC 9457). */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly type: ProblemType
  readonly problems: readonly Detail[] | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly startsAt: string | undefined

  /**
   * @param detail what is wrong with this request, and what to do
   * @param headers more headers of the answer
   * @param startsAt planned start of a show that is not open yet (ISO 8601)
   */
  constructor(
    type: ProblemType,
    detail: string,
    problems?: readonly Detail[],
    headers: Readonly<Record<string, string>> = {},
    startsAt?: string,
  ) {
    super(detail)
    this.type = type
    this.problems = problems
    this.headers = headers
    this.startsAt = startsAt
  }

  get status(): number {
    return problemTypes[this.type].status
  }
}

/** Headers of every answer: its type is what the header says, and it is only fetched over TLS. */
export const protection = {
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000',
} as const

/** Says that a cache keeps answers to pages of different origins apart: API Gateway adds CORS headers to them. */
export const varying = { vary: 'origin' } as const

const platformTypes = { 409: 'platform-refused', 502: 'platform-failed', 504: 'platform-unreachable' } as const

/** Returns the problem that describes a failure of the platform; undefined for any other error. */
export function asPlatformProblem(error: unknown, ...more: [detail?: string, path?: string]): ApiProblem | undefined {
  const problem = platformProblem(error)
  if (!problem) return undefined
  const { status, words } = problem
  const [detail, path] = more
  return detail !== undefined && path !== undefined
    ? new ApiProblem(platformTypes[status], detail, [{ path, message: words }])
    : new ApiProblem(platformTypes[status], words)
}

/** Returns the problem that an error is answered with. An unexpected error shows the caller only the id of the request. */
export function problemOf(error: unknown, requestId: string): ApiProblem {
  if (error instanceof ApiProblem) return error
  if (error instanceof ForeignKeysError) {
    const { archiveId } = error
    return new ApiProblem(
      'invalid-manifest',
      `The manifest of recording ${archiveId} names files that are not its own, so none is linked. Rebuild it with POST /recordings/${archiveId}/rebuild.`,
    )
  }
  return (
    asPlatformProblem(error) ??
    new ApiProblem(
      'internal-error',
      `Showrunner failed. Ask its operator to search the log for the request ${requestId}.`,
    )
  )
}

export function problemResponse({ type, status, message, problems, headers: more, startsAt }: ApiProblem) {
  const named = { type: problemUri(type), title: problemTitle(type) }
  const facts = { ...(problems && { problems }), ...(startsAt !== undefined && { startsAt }) }
  const body = { ...named, status, code: type, detail: message, ...facts }
  const seconds = retryAfterOf(type)
  const retryAfter = seconds !== undefined && { 'retry-after': String(seconds) }
  const headers = { 'content-type': 'application/problem+json', ...protection, ...varying, ...retryAfter, ...more }
  return { statusCode: status, headers, body: JSON.stringify(body) } satisfies APIGatewayProxyStructuredResultV2
}
