import { z } from 'zod'

/** The name of an order, unique within its list. */
export const orderName = z
  .string()
  .regex(/^[0-9A-Za-z][0-9A-Za-z_-]{0,63}$/, 'must be 1 to 64 letters, digits, dashes or underscores')
  .describe('Unique within its list; becomes part of the tag on the platform.')

/** Lets rules about several fields run although one field is invalid, so that all problems are reported at once. */
export const always = { when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null }

/** Returns a `superRefine` of lists that requires different values of a field. */
export const distinct =
  (field: 'name' | 'url' | 'id') =>
  (items: readonly Readonly<Partial<Record<string, unknown>>>[], context: z.RefinementCtx): void => {
    const values = Array.isArray(items) ? items.map((item) => item?.[field]) : []
    values.forEach((value, index) => {
      if (value !== undefined && values.indexOf(value) < index)
        context.addIssue({ code: 'custom', path: [index, field], message: `${value} is used twice` })
    })
  }
