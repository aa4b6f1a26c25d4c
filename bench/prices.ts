import { prices } from '../lib/show/plan/forecast/prices.ts'

const units = ['transition', 'invocation', 'gigabyteSecond', 'write', 'read'] as const

/** Usage of AWS. Absent fields are zero. Of the requests to S3, reads are GET, and writes are PUT, COPY, POST and LIST. */
export type Taken = { readonly [Unit in (typeof units)[number]]?: number }

/** Returns the price of a usage in US dollars, by the list prices of the forecast. */
export const priceOf = (taken: Taken): number => units.reduce((sum, unit) => sum + (taken[unit] ?? 0) * prices[unit], 0)
