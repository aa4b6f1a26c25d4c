/** Tag that selects the bucket's expiry rule for an object; its value is a number of days. */
export const KEEP_DAYS_TAG = 'keepDays'

/** Returns the tags of an object that is kept for some days; none for one that is kept permanently. */
export const tagsFor = (keepDays: number | null | undefined): Record<string, string> =>
  keepDays ? { [KEEP_DAYS_TAG]: String(keepDays) } : {}
