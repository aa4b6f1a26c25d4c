import {
  PlatformConflictError,
  PlatformError,
  PlatformNotFoundError,
  PlatformRequestError,
  PlatformResponseError,
  PlatformThrottledError,
  PlatformUnavailableError,
} from '../../platform/client/errors.ts'

/** Matches errors by what they mean for a call: the same status means different things for different operations. */
export type Meaning = (error: unknown) => boolean

/** For a list or a start: no client is connected yet. Both bodies of the 404 mean that, because deployments differ. */
export const isNotYet: Meaning = (error) => error instanceof PlatformNotFoundError

/** For reading by id: the resource does not exist any more. getArchive answers 400 to an unknown id, getBroadcast 404. */
export const isGone: Meaning = (error) =>
  error instanceof PlatformNotFoundError || error instanceof PlatformRequestError

/** For a stop: the resource ended after the observation, or the answer to an earlier stop was lost. */
export const isAlreadyEnded: Meaning = (error) =>
  error instanceof PlatformConflictError || error instanceof PlatformNotFoundError

/** For a start: the session is relayed. A used tag has the same status, so the platform's message decides. */
export const isRelayed: Meaning = (error) =>
  error instanceof PlatformConflictError && /relayed|rout/i.test(error.details.message ?? '')

/** For a start: a resource with this tag exists, because the answer to an earlier start was lost. */
export const isTaken: Meaning = (error) => error instanceof PlatformConflictError && !isRelayed(error)

/** For any call: the answer is unreadable. */
export const isUnreadable: Meaning = (error) => error instanceof PlatformResponseError

/** For a start: it may have had its effect although there is no answer. */
export const isUncertain: Meaning = (error) =>
  isUnreadable(error) || (error instanceof PlatformUnavailableError && !wasNeverSent(error))

/** For a start: the platform refused the first attempt, so nothing was started. */
export const isDefinite: Meaning = (error) =>
  (error instanceof PlatformRequestError || error instanceof PlatformNotFoundError || isRelayed(error)) &&
  /^start/.test((error as PlatformError).details.operation) &&
  (error as PlatformError).details.attempt <= 1

/** Codes of connections that were not established: the platform surely received nothing. */
const BEFORE_SENDING: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
])
const wasNeverSent = ({ cause, details }: PlatformError) =>
  details.attempt === 0 || BEFORE_SENDING.has((cause as { code?: unknown } | undefined)?.code)

/** For any call: a retry may succeed. */
export const isTransient: Meaning = (error) =>
  error instanceof PlatformThrottledError || error instanceof PlatformUnavailableError

/** Returns a clearer error if the platform refused a start because the session is relayed; else the same error. */
export function describePlatformError(error: unknown): unknown {
  if (!(error instanceof PlatformError) || !isRelayed(error)) return error
  const { status, details } = error
  return new PlatformConflictError(
    'The session is relayed, and only a routed one can be recorded, broadcast or dialled out of: create it with p2p.preference disabled, or omit it from the show.',
    { status, details, cause: error },
  )
}

/** Returns a handler for `catch` that maps errors with a meaning to a value, and rethrows all others. */
export const onError =
  <Value>(meaning: Meaning, value: Value) =>
  (error: unknown): Value => {
    if (meaning(error)) return value
    throw error
  }
