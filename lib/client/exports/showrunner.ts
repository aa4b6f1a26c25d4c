/** The entry point `showrunner` of the package. */
export type * from '../documents.ts'
export type { Listing, Page } from '../listing.ts'
export type { CallOptions, KeyedOptions, ShowrunnerOptions, WaitOptions } from '../options.ts'
export { createShowrunner, type Showrunner } from '../showrunner.ts'
export { type ClientProblemType, ShowrunnerError } from '../showrunner-error.ts'
export type { Awaited, PublishedShow, WaitFor } from '../wait-for.ts'
