import {
  PlatformConflictError,
  PlatformNotFoundError,
  PlatformRequestError,
  PlatformThrottledError,
  PlatformUnavailableError,
} from '../platform/client/errors.ts'

/** What a refusal of the platform means depends on what was asked; these are the meanings tasks go on with. */
type Meaning = (error: unknown) => boolean

/** To a list or a start: nothing is there yet. Both bodies of the 404 mean that: not every deployment tells them apart. */
export const isNotYet: Meaning = (error) => error instanceof PlatformNotFoundError

/** To reading one by its id: it is gone. E12 answers 400 to an id it does not know, E24 answers 404. */
export const isGone: Meaning = (error) =>
  error instanceof PlatformNotFoundError || error instanceof PlatformRequestError

/** To a stop: it ended between the look and the stop, or an earlier attempt's answer was lost. */
export const hadEnded: Meaning = (error) =>
  error instanceof PlatformConflictError || error instanceof PlatformNotFoundError

/** To a start: one with this tag is there by now, since an earlier start's answer was lost. */
export const isTaken: Meaning = (error) => error instanceof PlatformConflictError

/** To anything: it may pass by itself. */
export const isPassing: Meaning = (error) =>
  error instanceof PlatformThrottledError || error instanceof PlatformUnavailableError

/** For a `catch`: gives `value` for a refusal of this meaning and throws every other error on. */
export const instead =
  <Value>(meaning: Meaning, value: Value) =>
  (error: unknown): Value => {
    if (meaning(error)) return value
    throw error
  }
