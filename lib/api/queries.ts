import { z } from 'zod'

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

export const dryRun = z.strictObject({
  dryRun: z.enum(['true', 'false']).default('false').describe('true checks the show without recording or starting it.'),
})

export const days = z.strictObject({
  from: z.iso
    .date('must be a date such as 2026-12-01')
    .optional()
    .describe('The first day (UTC). Default: 30 days before `to`.'),
  to: z.iso.date('must be a date such as 2026-12-01').optional().describe('The last day (UTC). Default: today.'),
})

export const recordingsPage = page.extend({
  deleted: z
    .enum(['true', 'false'])
    .default('false')
    .describe('true lists deleted recordings that can be restored, ordered by the end of that time.'),
})

export const permanence = z.strictObject({
  permanently: z
    .enum(['true', 'false'])
    .default('false')
    .describe('true deletes permanently, also a recording that is deleted already.'),
})

/** An empty query, and the body of a request whose route is complete. */
export const nothing = z.strictObject({})
