/**
 * Returns the value that a share of all values does not exceed.
 * @param share 0 to 1
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** Runs `act` for each item, at most `width` at once. */
export async function eachAtOnce<Item>(
  items: readonly Item[],
  width: number,
  act: (item: Item, index: number) => Promise<unknown>,
): Promise<void> {
  const queue = items.entries()
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const [index, item] of queue) await act(item, index)
    }),
  )
}
