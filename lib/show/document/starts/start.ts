import { z } from 'zod'
import { cronProblem, MAX_CRON } from '../fields/cron.ts'
import { always } from '../fields/order-names.ts'
import { hasOffset, instantOf, isTimeZone, localTimeOf } from './local-times.ts'

/** Matches a local time, and a time with an offset, whose seconds may have a fraction. */
const startTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}((:\d{2})?|(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))$/

const DATES = [
  '(?:19[7-9]|2[01]\\d)\\d-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))',
  '(?:19(?:[79][26]|8[048])|20(?:[02468][048]|[13579][26])|21(?:0[48]|[2468][048]|[13579][26]))-02-29',
]
const MINUTES = '(?:[01]\\d|2[0-3]):[0-5]\\d'
/** Matches the times of `startTime` that exist, in the years 1970 to 2199. */
const START_TIME = `^(?:${DATES.join('|')})T${MINUTES}(?:(?::[0-5]\\d)?|(?::[0-5]\\d(?:\\.\\d{1,9})?)?(?:Z|[+-]${MINUTES}))$`

/** Matches the form of six cron fields, not their values. */
const CRON_FORM =
  '^[0-9*,/-]+ [0-9*,/-]+ (?:[?] [0-9A-Za-z*,/-]+ [0-9A-Za-z*,/#-]+|[0-9LWlw*,/-]+ [0-9A-Za-z*,/-]+ [?]) [0-9*,/-]+$'

const zone = z
  .string()
  .refine(isTimeZone, { message: 'must be a time zone such as Europe/Berlin' })
  .meta({ pattern: '^[A-Za-z][0-9A-Za-z_+/-]*$' })
  .default('UTC')
  .describe('Time zone of the time, by its name in the IANA database; daylight saving is observed.')

/** Dates of a series on which it does not start. */
const MAX_EXCEPTIONS = 100
/** Starts of a series: its state holds each. */
const MAX_COUNT = 500

const date = z.iso.date({ error: 'must be a date such as 2027-06-30' })

/** The start of a show that does not start at once. */
export const startOrder = z.union(
  [
    z
      .strictObject({
        at: z
          .string()
          .regex(startTime, 'must be a time such as 2026-12-01T19:00 or 2026-12-01T19:00+01:00')
          .refine((text) => !startTime.test(text) || isDate(text), { message: 'is not a date' })
          .refine((text) => !isDate(text) || isInYears(text), { message: 'must be in the years 1970 to 2199' })
          .meta({ pattern: START_TIME })
          .describe(
            'Time of a single start, with or without seconds, in the years 1970 to 2199: a local time (2026-12-01T19:00), or one with an offset from UTC (2026-12-01T19:00+01:00, or Z), which is stored as a local time. A local time that occurs twice, because clocks are set back, is the first; an offset names the second.',
          ),
        zone,
      })
      .superRefine(({ at, zone }, context) => {
        if (!isDate(at) || !isInYears(at) || !isTimeZone(zone)) return
        const message = problemIn(at, zone)
        if (message) context.addIssue({ code: 'custom', path: ['at'], message })
      }, always)
      // It is called for refused zones as well.
      .overwrite(({ at, zone }) => (hasOffset(at) && isTimeZone(zone) && localTimeOf(at, zone)) || { at, zone }),
    z.strictObject({
      cron: z
        .string()
        .superRefine((text, context) => {
          const message = cronProblem(text)
          if (message) context.addIssue({ code: 'custom', message })
        })
        .meta({ pattern: CRON_FORM, maxLength: MAX_CRON })
        .describe(
          'Local times of many starts, in the form of EventBridge Scheduler: minute, hour, day of month, month, day of week (1-7 from Sunday, or SUN-SAT), year (1970-2199); “0 9 ? * 3#2 *” is each second Tuesday at 9:00. Days that no month has, such as 31 February, are refused; whether clocks are set forward over a time is not checked.',
        ),
      zone,
      until: date
        .optional()
        .describe('Date of the last day on which it starts, in the zone: 2027-06-30. Its series then ends.'),
      except: z
        .array(date)
        .max(MAX_EXCEPTIONS)
        .refine((dates) => new Set(dates).size === dates.length, { message: 'must not have a date twice' })
        .meta({ uniqueItems: true })
        .optional()
        .describe(`Dates on which it does not start, in the zone, up to ${MAX_EXCEPTIONS}.`),
      count: z
        .int()
        .min(1)
        .max(MAX_COUNT)
        .optional()
        .describe('Number of starts after which its series ends. Exceptions do not count.'),
    }),
  ],
  {
    error: ({ input }) =>
      isBoth(input) ? 'must have at or cron: they exclude each other' : 'must be { at, zone } or { cron, zone }',
  },
)

export type StartOrder = z.output<typeof startOrder>

function problemIn(at: string, zone: string): string | undefined {
  if (hasOffset(at))
    return localTimeOf(at, zone) ? undefined : `has another offset than ${zone} at that time: leave out one of them`
  return instantOf(at, zone) === undefined ? `does not exist in ${zone}: its clocks are set forward over it` : undefined
}

const isBoth = (input: unknown) => typeof input === 'object' && input !== null && 'at' in input && 'cron' in input

/** Checks the years that EventBridge Scheduler accepts, also of the time in UTC. */
const isInYears = (text: string) => [text, ...(hasOffset(text) ? [utcOf(text)] : [])].every(isAccepted)
const isAccepted = (time: string) => time >= '1970' && time < '2200'
const utcOf = (text: string) => new Date(Date.parse(text)).toISOString()

/** Refuses dates such as 30 February, which some parsers carry into the next month. */
function isDate(text: unknown): boolean {
  if (typeof text !== 'string' || !startTime.test(text) || Number.isNaN(Date.parse(text))) return false
  const local = text.slice(0, /:\d{2}:/.test(text) ? 19 : 16)
  const moment = Date.parse(`${local}Z`)
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(local)
}
