import { z } from 'zod'
import { limits } from './limits.ts'

/** The query that selects a page of a list. */
export const pageQuery = z.object({
  offset: z.coerce.number<number>().int().min(0).default(0).describe('Index of the first item; 0 is the newest.'),
  count: z.coerce
    .number<number>()
    .int()
    .min(1)
    .max(limits.listCountMax.value)
    .default(limits.listCountDefault.value)
    .describe('Items per page.'),
})

/** The query of a list whose items belong to sessions. */
export const listQuery = pageQuery.extend({ sessionId: z.string().optional().describe('Selects one session.') })

/** Returns the schema of a page of a list. `count` is the number of items on all pages. */
export const listOf = <Item extends z.ZodType>(item: Item) => z.looseObject({ count: z.int(), items: z.array(item) })
