/** Name of the tag by which the bucket's rules know when to delete an object; its value is a number of days. */
export const KEEP_DAYS_TAG = 'keepDays'

/** The tags of what is kept for so many days; none of what is kept for ever. */
export const tagsFor = (keepDays: number | null | undefined): Record<string, string> =>
  keepDays ? { [KEEP_DAYS_TAG]: String(keepDays) } : {}
