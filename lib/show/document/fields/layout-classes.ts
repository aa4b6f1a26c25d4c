import { z } from 'zod'

/** Layout classes of one stream, such as `focus` or `full`; custom stylesheets name others. */
export const layoutClasses = z
  .array(z.string().regex(/^[!-~]{1,64}$/, 'must be 1 to 64 characters of ASCII without spaces'))
  .max(10)
