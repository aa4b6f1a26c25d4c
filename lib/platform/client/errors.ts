/** Facts about a failed operation. They never have a token, a secret, a stream key or the body of a request. */
export interface PlatformErrorDetails {
  readonly operation: string
  /** Number of the failed attempt, from 1; 0 if nothing was sent. Above 1, an earlier attempt may have had its effect. */
  readonly attempt: number
  /** The platform's code: usually the status, but -1 or a more specific number in some answers. */
  readonly code?: number
  /** The code of Insights (contract/insights.ts). */
  readonly errorCode?: number
  /** The platform's message and description, without secrets. */
  readonly message?: string
  /** The header `X-Request-Id` of the answer. */
  readonly requestId?: string
}

/** Maximum characters of the platform's message. A longer one is truncated. */
export const MAX_MESSAGE_LENGTH = 300

interface PlatformErrorOptions {
  readonly status?: number | undefined
  readonly details: PlatformErrorDetails
  readonly cause?: unknown
}

/**
 * Base class of the errors of failed operations.
 *
 * `name` is a literal, because state machines match it and minifiers rename classes. The message, the details and the cause
 * never have a token, a secret, a stream key or the body of a request.
 * @example
 * ```ts
 * await client.stopArchive({ archiveId }).catch((error: unknown) => {
 *   if (!(error instanceof PlatformConflictError)) throw error // the archive has stopped already
 * })
 * ```
 */
export abstract class PlatformError extends Error {
  /** The HTTP status; undefined without an answer. */
  readonly status: number | undefined
  readonly details: PlatformErrorDetails

  constructor(message: string, { status, details, cause }: PlatformErrorOptions) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
    this.details = details
  }
}

/** Thrown when a request is invalid (400, 405, 408, 413), or when the client refuses to send it. */
export class PlatformRequestError extends PlatformError {
  override readonly name = 'PlatformRequestError'
}

/** Thrown when the platform does not accept the credentials (401, 403). */
export class PlatformAuthError extends PlatformError {
  override readonly name = 'PlatformAuthError'
}

/** Thrown when a resource of the request does not exist (404). */
export class PlatformNotFoundError extends PlatformError {
  override readonly name = 'PlatformNotFoundError'
}

/** Thrown when the state of the resource does not allow the operation (409). */
export class PlatformConflictError extends PlatformError {
  override readonly name = 'PlatformConflictError'
}

/** Thrown when there are too many calls (429). */
export class PlatformThrottledError extends PlatformError {
  override readonly name = 'PlatformThrottledError'
}

/** Thrown when the platform fails or cannot be reached (5xx, refused, reset, timed out). */
export class PlatformUnavailableError extends PlatformError {
  override readonly name = 'PlatformUnavailableError'
}

/** Thrown when an answer breaks the contract: not JSON, another shape, incomplete, too large, or a redirect. */
export class PlatformResponseError extends PlatformError {
  override readonly name = 'PlatformResponseError'
}

type PlatformErrorClass = new (message: string, options: PlatformErrorOptions) => PlatformError

/** Returns the error class of an unsuccessful status, and the advice for its message. */
export function classify(status: number): { readonly errorClass: PlatformErrorClass; readonly advice: string } {
  if (status === 401 || status === 403)
    return { errorClass: PlatformAuthError, advice: 'check the API key, its secret and the clock of this machine' }
  if (status === 404) return { errorClass: PlatformNotFoundError, advice: 'check the ids, or wait until it exists' }
  if (status === 409)
    return { errorClass: PlatformConflictError, advice: 'read the state of the resource and continue from it' }
  if (status === 429) return { errorClass: PlatformThrottledError, advice: 'wait before calling again' }
  if (status >= 500) return { errorClass: PlatformUnavailableError, advice: 'try again later' }
  if (status >= 400) return { errorClass: PlatformRequestError, advice: 'correct the request' }
  return { errorClass: PlatformResponseError, advice: 'check that the base URL is the platform’s' }
}
