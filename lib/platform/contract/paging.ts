import { z } from 'zod'
import { limits } from './limits.ts'

/** The query of a list operation. Item 0 is the newest. */
export const listQuery = z.object({
  offset: z.coerce.number().int().min(0).default(0),
  count: z.coerce.number().int().min(1).max(limits.listCountMax.value).default(limits.listCountDefault.value),
  sessionId: z.string().optional(),
})

/** A page of a list: `count` is the total, not the page's length. */
export const listOf = <Item extends z.ZodType>(item: Item) => z.looseObject({ count: z.int(), items: z.array(item) })
