import { z } from 'zod'

/** What the orders of one list are told apart by. */
export const orderName = z
  .string()
  .regex(/^[0-9A-Za-z][0-9A-Za-z_-]{0,63}$/, 'must be 1 to 64 letters, digits, dashes or underscores')
  .describe('Unique within its list; becomes part of the tag on the platform.')

/** Rules about several fields are looked at although one of them is wrong, so that every problem is told at once. */
export const always = { when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null }

/** For a list's superRefine: no two entries have this field in common. */
export const distinct =
  (field: 'name' | 'url' | 'id') =>
  (items: readonly Readonly<Partial<Record<string, unknown>>>[], context: z.RefinementCtx): void => {
    const values = Array.isArray(items) ? items.map((item) => item?.[field]) : []
    values.forEach((value, index) => {
      if (value !== undefined && values.indexOf(value) < index)
        context.addIssue({ code: 'custom', path: [index, field], message: `${value} is used twice` })
    })
  }
