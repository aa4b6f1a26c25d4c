/** A list of a state with the entry of this name changed, and the others as they were. */
export const withEntry = <Entry extends { readonly name: string }>(
  entries: readonly Entry[],
  name: string,
  change: (entry: Entry) => Entry,
): Entry[] => entries.map((entry) => (entry.name === name ? change(entry) : entry))

/** An entry whose start has failed before, now that it has not. */
export function withoutProblem<Entry extends { problem?: string | undefined }>(entry: Entry): Entry {
  const { problem: _, ...rest } = entry
  return rest as Entry
}
