export const withEntry = <Entry extends { readonly name: string }>(
  entries: readonly Entry[],
  name: string,
  change: (entry: Entry) => Entry,
): Entry[] => entries.map((entry) => (entry.name === name ? change(entry) : entry))

/** Returns an entry without the problem of an earlier start. */
export function withoutProblem<Entry extends { problem?: string | undefined }>(entry: Entry): Entry {
  const { problem: _, ...rest } = entry
  return rest as Entry
}
