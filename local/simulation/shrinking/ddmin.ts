export interface DdminOptions {
  /** Times that `happens` is asked at most; 300 unless told. */
  readonly tries?: number
}

/**
 * Leaves out of a list what is not needed for something to happen: halves first, then quarters, down to single items. What
 * is left is needed, each single item of it, unless the tries are used up before. (Zeller's delta debugging, ddmin.)
 * @param happens whether it still does with only these, in their order; it is not asked of the whole list
 */
export async function ddmin<Item>(
  items: readonly Item[],
  happens: (items: readonly Item[]) => Promise<boolean>,
  { tries = 300 }: DdminOptions = {},
): Promise<readonly Item[]> {
  let left = items
  let asked = 0
  const stillHappens = async (some: readonly Item[]) => asked++ < tries && (await happens(some))

  /** Tries the list without each of its pieces in turn; true when one of them could go. */
  const leaveOut = async (size: number): Promise<boolean> => {
    const before = left.length
    for (let start = 0; start < left.length; ) {
      const others = [...left.slice(0, start), ...left.slice(start + size)]
      if (await stillHappens(others)) left = others
      else start += size
    }
    return left.length < before
  }

  if (left.length > 0 && (await stillHappens([]))) return []
  let size = Math.ceil(left.length / 2)
  while (left.length > 0 && asked < tries) {
    const isLess = await leaveOut(size)
    if (size === 1 && !isLess) break
    size = Math.ceil(size / 2)
  }
  return left
}
