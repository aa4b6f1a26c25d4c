import { z } from 'zod'
import { limits } from './limits.ts'

/** Which page of a list. Item 0 is the newest. */
export const pageQuery = z.object({
  offset: z.coerce.number<number>().int().min(0).default(0),
  count: z.coerce.number<number>().int().min(1).max(limits.listCountMax.value).default(limits.listCountDefault.value),
})

/** The query of a list whose items belong to sessions. */
export const listQuery = pageQuery.extend({ sessionId: z.string().optional() })

/** A page of a list: `count` is the total, not the page's length. */
export const listOf = <Item extends z.ZodType>(item: Item) => z.looseObject({ count: z.int(), items: z.array(item) })
