import { z } from 'zod'
import { showStatuses } from '../show/state/state.ts'

/** Items on one page of a list. */
const MAX_ITEMS = 100
/** Days of usage in one answer: as many as Insights keeps. */
export const MAX_DAYS = 90

export const page = z.strictObject({
  limit: z.coerce.number().int().min(1).max(MAX_ITEMS).default(50).describe('Maximum number of items.'),
  cursor: z
    .string()
    .regex(/^\d{13}-[0-9A-Za-z-]{1,64}$/, 'is not a cursor of this list')
    .optional()
    .describe('Cursor of the previous page.'),
})

const label = z
  .string()
  .regex(/^[0-9A-Za-z][0-9A-Za-z_.:/-]{0,63}=/, 'must be a name and a value, such as customer=c-7')
  .optional()
  .describe('A label of the show and its value: `customer=c-7`.')
const time = z.iso.datetime({ offset: true, error: 'must be a time such as 2026-12-01T19:00:00Z' }).optional()

/** With a filter, a page may have fewer items than its limit, or none, and a cursor nevertheless. */
export const showsPage = page.extend({
  status: z.enum(showStatuses).optional().describe('Status of the shows.'),
  from: time.describe('Lists shows that were accepted at this time or later.'),
  to: time.describe('Lists shows that were accepted at this time or earlier.'),
  scheduleId: z.string().max(64).optional().describe('Lists the shows that this recurring show has started.'),
  label,
})

export const dryRun = z.strictObject({
  dryRun: z.enum(['true', 'false']).default('false').describe('true checks the show without recording or starting it.'),
})

export const days = z.strictObject({
  from: z.iso
    .date('must be a date such as 2026-12-01')
    .optional()
    .describe(
      `The first day (UTC), not after \`to\`. Up to ${MAX_DAYS} days are answered. Default: 30 days before \`to\`.`,
    ),
  to: z.iso
    .date('must be a date such as 2026-12-01')
    .optional()
    .describe('The last day (UTC), not before `from`. Default: today.'),
})

export const recordingsPage = page.extend({
  deleted: z
    .enum(['true', 'false'])
    .default('false')
    .describe('true lists deleted recordings that can be restored, ordered by the end of that time.'),
  showId: z.string().max(64).optional().describe('Lists the recordings of this show.'),
  name: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Lists the recordings with this text in their name or title. Upper and lower case are equal.'),
  from: time.describe('Lists recordings that were created at this time or later.'),
  to: time.describe('Lists recordings that were created at this time or earlier.'),
  label,
})

export const permanence = z.strictObject({
  permanently: z
    .enum(['true', 'false'])
    .default('false')
    .describe('true deletes permanently, also a recording that is deleted already.'),
})

/** An empty query, and the body of a request whose route is complete. */
export const nothing = z.strictObject({})
