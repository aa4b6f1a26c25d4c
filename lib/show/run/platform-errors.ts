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

/** To a list or a start: nothing is there yet. Both bodies of the 404 mean that: not every deployment tells them apart. */
export const isNotYet: Meaning = (error) => error instanceof PlatformNotFoundError

/** Reading one by its id: it is gone. getArchive answers 400 to an unknown id, getBroadcast 404. */
export const isGone: Meaning = (error) =>
  error instanceof PlatformNotFoundError || error instanceof PlatformRequestError

/** To a stop: it ended between the look and the stop, or an earlier attempt's answer was lost. */
export const isAlreadyEnded: Meaning = (error) =>
  error instanceof PlatformConflictError || error instanceof PlatformNotFoundError

/** To a start: the session is relayed. The same status says that a tag is taken, so the platform's words decide. */
export const isRelayed: Meaning = (error) =>
  error instanceof PlatformConflictError && /relayed|rout/i.test(error.details.message ?? '')

/** To a start: one with this tag is there by now, since an earlier start's answer was lost. */
export const isTaken: Meaning = (error) => error instanceof PlatformConflictError && !isRelayed(error)

/** To anything: the answer cannot be understood. */
export const isUnreadable: Meaning = (error) => error instanceof PlatformResponseError

/** To a start: it may have had its effect although no answer says so. */
export const isUncertain: Meaning = (error) =>
  isUnreadable(error) || (error instanceof PlatformUnavailableError && !wasNeverSent(error))

/** To a start: the platform said so to the first try of it, so that nothing has begun. */
export const isDefinite: Meaning = (error) =>
  (error instanceof PlatformRequestError || error instanceof PlatformNotFoundError || isRelayed(error)) &&
  /^start/.test((error as PlatformError).details.operation) &&
  (error as PlatformError).details.attempt <= 1

/** What the system says when no connection came about; then, and where no attempt was made, the platform surely saw nothing. */
const BEFORE_SENDING: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
])
const wasNeverSent = ({ cause, details }: PlatformError) =>
  details.attempt === 0 || BEFORE_SENDING.has((cause as { code?: unknown } | undefined)?.code)

/** To anything: it may pass by itself. */
export const isTransient: Meaning = (error) =>
  error instanceof PlatformThrottledError || error instanceof PlatformUnavailableError

/** Says that the session is relayed, and what to do, where that is why the platform refused. */
export function describePlatformError(error: unknown): unknown {
  if (!(error instanceof PlatformError) || !isRelayed(error)) return error
  const { status, details } = error
  return new PlatformConflictError(
    'The session is relayed, and only a routed one can be recorded, broadcast or dialled out of: create it with p2p.preference disabled, or leave it out of the show.',
    { status, details, cause: error },
  )
}

/** For a `catch`: gives `value` for a refusal of this meaning and throws every other error on. */
export const onError =
  <Value>(meaning: Meaning, value: Value) =>
  (error: unknown): Value => {
    if (meaning(error)) return value
    throw error
  }
