export interface PlatformErrorDetails {
  /** The operation's name, as in the contract. */
  readonly operation: string
  /** Which attempt failed, from 1; 0 when nothing was sent. Above 1, an earlier attempt may have had its effect. */
  readonly attempt: number
  /** The platform's own code; usually the status, but -1 or a finer number on some answers. */
  readonly code?: number
  /** The code of Insights (contract/insights.ts). */
  readonly errorCode?: number
  /** The platform's own words (`message`, and `: description` where given), without anything secret. */
  readonly message?: string
  readonly requestId?: string
}

/** Characters; longer words of the platform are cut. */
export const MAX_MESSAGE_LENGTH = 300

interface PlatformErrorOptions {
  readonly status?: number | undefined
  readonly details: PlatformErrorDetails
  readonly cause?: unknown
}

/**
 * What every failed operation rejects with, in one of the classes below.
 *
 * `name` is a literal, since state machines match it and minifiers rename classes. Neither message nor details nor
 * cause ever hold a token, a secret, a stream key or a request's body.
 */
export abstract class PlatformError extends Error {
  /** The HTTP status, or undefined when there was no answer. */
  readonly status: number | undefined
  readonly details: PlatformErrorDetails

  constructor(message: string, { status, details, cause }: PlatformErrorOptions) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
    this.details = details
  }
}

/** Thrown when a request cannot succeed (400, 405, 408, 413), or is refused before it is sent. */
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

/** Thrown when there were too many calls (429). */
export class PlatformThrottledError extends PlatformError {
  override readonly name = 'PlatformThrottledError'
}

/** Thrown when the platform fails or cannot be reached (5xx, refused, reset, timed out). */
export class PlatformUnavailableError extends PlatformError {
  override readonly name = 'PlatformUnavailableError'
}

/** Thrown when an answer breaks the contract: not JSON, another shape, truncated, too large, a redirect. */
export class PlatformResponseError extends PlatformError {
  override readonly name = 'PlatformResponseError'
}

type PlatformErrorClass = new (message: string, options: PlatformErrorOptions) => PlatformError

/** Returns the class of an unsuccessful status, and the advice to its reader. */
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
