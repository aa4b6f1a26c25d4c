export interface DdminOptions {
  /** Upper bound of calls of `happens`. @default 300 */
  readonly tries?: number
}

/**
 * Shrinks a failing list with delta debugging (Zeller, ddmin): removes halves, then quarters, down to single items.
 * Every remaining item is needed, unless the tries are used up before.
 * @param happens returns true if the failure happens with these items, in their order; not called with the whole list
 */
export async function ddmin<Item>(
  items: readonly Item[],
  happens: (items: readonly Item[]) => Promise<boolean>,
  { tries = 300 }: DdminOptions = {},
): Promise<readonly Item[]> {
  let left = items
  let calls = 0
  const stillHappens = async (some: readonly Item[]) => calls++ < tries && (await happens(some))

  /** Tries the list without each of its pieces. Returns true if one of them was removed. */
  const removePieces = async (size: number): Promise<boolean> => {
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
  while (left.length > 0 && calls < tries) {
    const isLess = await removePieces(size)
    if (size === 1 && !isLess) break
    size = Math.ceil(size / 2)
  }
  return left
}
