/**
 * List prices in US dollars, US East (N. Virginia), without free tiers, as the pages gave them in November 2026:
 * https://aws.amazon.com/step-functions/pricing/ (standard workflows), https://aws.amazon.com/lambda/pricing/ (Arm) and
 * https://aws.amazon.com/s3/pricing/ (standard; within a region nothing is charged for the bytes).
 */
const prices = {
  transition: 0.025 / 1_000,
  invocation: 0.2 / 1_000_000,
  gigabyteSecond: 0.0000133334,
  /** S3: PUT, COPY, POST, LIST; and GET and all others. */
  write: 0.005 / 1_000,
  read: 0.0004 / 1_000,
} as const

/** Usage of AWS. Absent fields are zero. */
export type Taken = { readonly [Kind in keyof typeof prices]?: number }

/** Returns the price of a usage in US dollars. */
export const priceOf = (taken: Taken): number =>
  Object.entries(taken).reduce((sum, [kind, amount]) => sum + amount * prices[kind as keyof typeof prices], 0)
