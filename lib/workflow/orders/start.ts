import { z } from 'zod'

const zone = z
  .string()
  .refine(isTimeZone, { message: 'must be a time zone such as Europe/Berlin' })
  .default('UTC')
  .describe('The time zone it is meant in, by its name in the IANA database; daylight saving is observed.')

/** When a show starts that does not start at once. */
export const startOrder = z.union(
  [
    z.strictObject({
      at: z
        .string()
        .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/, 'must be a local time such as 2026-12-01T19:00')
        .refine((text) => !Number.isNaN(Date.parse(`${text}Z`)), { message: 'is no date' })
        .describe('Local time of the one start.'),
      zone,
    }),
    z.strictObject({
      cron: z
        .string()
        .regex(/^\S+( \S+){5}$/, 'must have six fields: minute, hour, day of month, month, day of week, year')
        .describe(
          'Local times of many starts, in the form of EventBridge Scheduler: minute, hour, day of month, month, day of week (1-7 from Sunday, or SUN-SAT), year; “0 9 ? * 3#2 *” is each second Tuesday at 9:00.',
        ),
      zone,
    }),
  ],
  { error: 'must be { at, zone } or { cron, zone }' },
)

export type StartOrder = z.output<typeof startOrder>

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return /^[A-Za-z]/.test(name) // an offset is no zone
  } catch {
    return false
  }
}
