import { z } from 'zod'
import { limits } from '../../platform/contract/limits.ts'

/** Seven days, in seconds. */
export const MAX_SHOW_SECONDS = 604_800
/** Seconds: the longest broadcast in one part. */
const DEFAULT_MAX_DURATION = limits.broadcastDurationMax.value
/** Seconds for which a participant can connect again, or change devices. */
const DEFAULT_EMPTY_WAIT = 300

const openEndOnly = 'Only with duration null.'

/** The fields of a show document that decide when it ends. */
export const durationFields = {
  duration: z
    .int()
    .min(1)
    .max(MAX_SHOW_SECONDS)
    .nullable()
    .describe(
      'Seconds of live time, counted from the first archive or broadcast; up to seven days. null for an open end: the show ends once its participants have left, or by a stop.',
    ),
  maxDuration: z
    .int()
    .min(1)
    .max(MAX_SHOW_SECONDS)
    .optional()
    .describe(
      `Seconds of live time after which a show with an open end ends at the latest; up to seven days, ${DEFAULT_MAX_DURATION} by default. ${openEndOnly}`,
    ),
  emptyWait: z
    .int()
    .min(1)
    .max(86_400)
    .optional()
    .describe(
      `Seconds after which a show with an open end is over while no participant publishes a stream; ${DEFAULT_EMPTY_WAIT} by default. They count once a participant has published. Scenes and dial-ins do not count. The platform ends recordings and broadcasts ${limits.emptySession.value} s after the last client has left. ${openEndOnly}`,
    ),
}

interface End {
  readonly duration: number | null
  readonly maxDuration?: number | undefined
  readonly emptyWait?: number | undefined
}

/** Returns the seconds of live time after which a show ends at the latest. */
export const maxSecondsOf = ({ duration, maxDuration = DEFAULT_MAX_DURATION }: End): number => duration ?? maxDuration

/** Returns the defaults of a show with an open end; nothing for another show. */
export const openEndOf = ({ duration, maxDuration = DEFAULT_MAX_DURATION, emptyWait = DEFAULT_EMPTY_WAIT }: End) =>
  duration === null ? { maxDuration, emptyWait } : {}

/** Returns the fields of a show whose end is not open that only an open end can have. */
export const misplacedFields = ({ duration, ...show }: End) =>
  duration === null ? [] : (['maxDuration', 'emptyWait'] as const).filter((field) => show[field] !== undefined)
