/** Fewest characters of a name for which one is suggested: short names are all near each other. */
const MIN_LENGTH = 4
/** Most edits to a suggested name. */
const MAX_EDITS = 2

/** Returns the name that was probably meant, by the fewest edits; undefined if none is near. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  if (given.length < MIN_LENGTH) return undefined
  const [nearest] = names
    .map((name) => ({ name, edits: editsBetween(given.toLowerCase(), name.toLowerCase()) }))
    .filter(({ edits }) => edits <= MAX_EDITS)
    .sort((one, other) => one.edits - other.edits)
  return nearest?.name
}

/** Counts the edits between two words: a character added, removed or replaced, or two neighbors exchanged. */
function editsBetween(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > MAX_EDITS) return Number.POSITIVE_INFINITY
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, index) => index)]
  for (let row = 1; row <= one.length; row++) {
    const edits = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isExchanged = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      edits[column] = Math.min(
        (edits[column - 1] ?? 0) + 1,
        (rows[row - 1]?.[column] ?? 0) + 1,
        (rows[row - 1]?.[column - 1] ?? 0) + (isSame ? 0 : 1),
        isExchanged ? (rows[row - 2]?.[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    rows.push(edits)
  }
  return rows[one.length]?.[other.length] ?? Number.POSITIVE_INFINITY
}
