import { z } from 'zod'
import { cronProblem } from './fields/cron.ts'
import { always } from './fields/order-names.ts'
import { instantOf } from './local-times.ts'

const localTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/

const zone = z
  .string()
  .refine(isTimeZone, { message: 'must be a time zone such as Europe/Berlin' })
  .default('UTC')
  .describe('Time zone of the time, by its name in the IANA database; daylight saving is observed.')

/** The start of a show that does not start at once. */
export const startOrder = z.union(
  [
    z
      .strictObject({
        at: z
          .string()
          .regex(localTime, 'must be a local time such as 2026-12-01T19:00')
          .refine((text) => !localTime.test(text) || isDate(text), { message: 'is not a date' })
          .refine((text) => !isDate(text) || isInYears(text), { message: 'must be in the years 1970 to 2199' })
          .describe(
            'Local time of a single start, with or without seconds: 2026-12-01T19:00. In the years 1970 to 2199.',
          ),
        zone,
      })
      .superRefine(({ at, zone }, context) => {
        if (!isDate(at) || !isInYears(at) || !isTimeZone(zone) || instantOf(at, zone) !== undefined) return
        const message = `does not exist in ${zone}: its clocks are set forward over it`
        context.addIssue({ code: 'custom', path: ['at'], message })
      }, always),
    z.strictObject({
      cron: z
        .string()
        .superRefine((text, context) => {
          const message = cronProblem(text)
          if (message) context.addIssue({ code: 'custom', message })
        })
        .describe(
          'Local times of many starts, in the form of EventBridge Scheduler: minute, hour, day of month, month, day of week (1-7 from Sunday, or SUN-SAT), year (1970-2199); “0 9 ? * 3#2 *” is each second Tuesday at 9:00. Days that no month has, such as 31 February, are refused; whether clocks are set forward over a time is not checked.',
        ),
      zone,
    }),
  ],
  {
    error: ({ input }) =>
      isBoth(input) ? 'must have at or cron: they exclude each other' : 'must be { at, zone } or { cron, zone }',
  },
)

export type StartOrder = z.output<typeof startOrder>

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return /^[A-Za-z]/.test(name) // an offset is not a zone
  } catch {
    return false
  }
}

const isBoth = (input: unknown) => typeof input === 'object' && input !== null && 'at' in input && 'cron' in input

/** Checks the years that EventBridge Scheduler accepts. */
const isInYears = (text: string) => text >= '1970' && text < '2200'

/** Refuses dates such as 30 February, which some parsers carry into the next month. */
function isDate(text: unknown): boolean {
  const moment = typeof text === 'string' && localTime.test(text) ? Date.parse(`${text}Z`) : Number.NaN
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(String(text))
}
