import type { ProblemDocument, ProblemType } from './documents.ts'

/** Names of failures that have no problem document: the answers of API Gateway, lost answers and waits. */
export type ClientProblemType =
  | 'unauthorized'
  | 'refused'
  | 'too-many-requests'
  | 'unavailable'
  | 'no-answer'
  | 'foreign-answer'
  | 'show-ended'
  | 'wait-timeout'

export interface ShowrunnerErrorDetails {
  readonly type: string
  readonly status?: number | undefined
  readonly title?: string | undefined
  readonly problems?: ProblemDocument['problems']
  readonly startsAt?: string | undefined
  readonly retryAfter?: number | undefined
  readonly cause?: unknown
}

/** Thrown when the API refuses a call or gives no answer, and when a show cannot reach the awaited state. */
export class ShowrunnerError extends Error {
  override readonly name = 'ShowrunnerError'
  /** Name of the problem type, such as `wrong-show-state`. A newer deployment may have types that are not listed. */
  readonly type: ProblemType | ClientProblemType | (string & {})
  /** Status of the answer; undefined without an answer. */
  readonly status: number | undefined
  /** Title of the problem type. */
  readonly title: string | undefined
  /** Every fault of the body or the query, with its path. */
  readonly problems: NonNullable<ProblemDocument['problems']>
  /** Planned start of a show that is not open yet (ISO 8601), if it is known. */
  readonly startsAt: string | undefined
  /** Seconds after which the call may be repeated, if the answer states them. */
  readonly retryAfter: number | undefined

  constructor(
    message: string,
    { type, status, title, problems = [], startsAt, retryAfter, cause }: ShowrunnerErrorDetails,
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.type = type
    this.status = status
    this.title = title
    this.problems = problems
    this.startsAt = startsAt
    this.retryAfter = retryAfter
  }
}

/** A problem document, or the `message` of API Gateway. */
type Refusal = Partial<ProblemDocument> & { readonly message?: unknown }

/** Returns the error for an answer that is not a success, or not JSON. @param header its Retry-After */
export function errorOf(status: number, body: unknown, base: string, header: string | null = null): ShowrunnerError {
  if (status < 300)
    return new ShowrunnerError(`The server at ${base} is not the API of Showrunner. Check the address.`, {
      type: 'foreign-answer',
      status,
    })
  const {
    type,
    title,
    detail,
    message,
    problems = [],
    startsAt,
  }: Refusal = typeof body === 'object' && body ? body : {}
  const details = {
    type: type?.split('#')[1] ?? gatewayType(status),
    status,
    title,
    problems,
    startsAt,
    retryAfter: secondsIn(header),
  }
  if (status === 401)
    return new ShowrunnerError(
      `The API at ${base} does not accept the token. Use an unexpired token of the configured issuer, for its audience.`,
      details,
    )
  const reason = detail ?? `The API answered ${status}${message ? ` (${message})` : ''}.`
  if (problems.length === 0) return new ShowrunnerError(reason, details)
  const lines = problems.map(({ path, message }) => `${path || 'the show'} ${message}`)
  return new ShowrunnerError([reason.replace(/; see problems\.$/, ':'), ...lines].join('\n  '), details)
}

const secondsIn = (header: string | null) => (/^\d+$/.test(header ?? '') ? Number(header) : undefined)

function gatewayType(status: number): ClientProblemType {
  if (status === 401) return 'unauthorized'
  if (status === 429) return 'too-many-requests'
  return status >= 500 ? 'unavailable' : 'refused'
}

/** Returns the error for a request without an answer. */
export function lostError(base: string, reason: string, cause?: unknown): ShowrunnerError {
  return new ShowrunnerError(`The API at ${base} does not answer (${reason}). Check the address.`, {
    type: 'no-answer',
    cause,
  })
}

/** Returns the cause behind the `fetch failed` of Node. */
export function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message?: string }
  return cause?.code ?? cause?.message ?? message ?? String(error)
}
