import { z } from 'zod'

/** Items of one page of a list. */
const MAX_ITEMS = 100
/** Days that usage is told of at once: as long as Insights remember. */
export const MAX_DAYS = 90

export const page = z.strictObject({
  limit: z.coerce.number().int().min(1).max(MAX_ITEMS).default(50).describe('How many at most.'),
  cursor: z
    .string()
    .regex(/^\d{13}-[0-9A-Za-z-]{1,64}$/, 'is not one that a list has given')
    .optional()
    .describe('Of the page before.'),
})

export const dryRun = z.strictObject({
  dryRun: z.enum(['true', 'false']).default('false').describe('Checks everything, records and starts nothing.'),
})

export const days = z.strictObject({
  from: z.iso
    .date('must be a date such as 2026-12-01')
    .optional()
    .describe('The first day, in UTC; 30 days ago unless told.'),
  to: z.iso.date('must be a date such as 2026-12-01').optional().describe('The last day, in UTC; today unless told.'),
})

export const recordingsPage = page.extend({
  deleted: z
    .enum(['true', 'false'])
    .default('false')
    .describe('true lists those that are deleted and can be restored, the first to be gone permanently first.'),
})

export const permanence = z.strictObject({
  permanently: z
    .enum(['true', 'false'])
    .default('false')
    .describe('true deletes at once what could otherwise be restored, also of a recording that is deleted already.'),
})

export const nothing = z.strictObject({})
