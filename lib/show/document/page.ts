import { z } from 'zod'
import { notBlank, oneLine, PRINTABLE_LINES, printable, visible } from './fields/texts.ts'
import { plainUrl } from './fields/urls.ts'

const MAX_TITLE = 200
const MAX_DESCRIPTION = 2_000

/** Returns whether a text is printable on each of its lines. */
const isPrintable = (text: string) => text.split('\n').every(printable[0])

/** Presentation of the recordings of a show on their watch pages. */
export const pageOrder = z.strictObject({
  title: oneLine(MAX_TITLE)
    .min(1)
    .refine(...notBlank)
    .meta(visible)
    .optional()
    .describe(`Title for viewers: one line of up to ${MAX_TITLE} characters; the show’s name by default.`),
  description: z
    .string()
    .min(1)
    .max(MAX_DESCRIPTION)
    .refine(...notBlank)
    .refine(isPrintable, printable[1])
    .meta({ pattern: PRINTABLE_LINES, ...visible })
    .optional()
    .describe(`Plain text for viewers: up to ${MAX_DESCRIPTION} characters, on lines that \\n separates.`),
  cover: plainUrl(/^https$/, 'must be the https URL of a picture')
    .optional()
    .describe('https URL of a picture for the watch page and link previews. It is shown to viewers unchanged.'),
  accentColor: z
    .string()
    .regex(/^#[0-9A-Fa-f]{6}$/, 'must be a color such as #1a73e8')
    .optional()
    .describe('Color of the controls on the watch page: #rrggbb.'),
})

export type PageOrder = z.output<typeof pageOrder>

/** Returns what a manifest repeats for the watch page. */
export const pageOf = ({ name, page }: { readonly name: string; readonly page: PageOrder }) => ({
  ...page,
  title: page.title ?? name,
})
