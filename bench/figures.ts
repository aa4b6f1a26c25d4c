/**
 * Returns the value that a share of all values does not exceed.
 * @param share 0 to 1
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** Runs `act`, and returns its result with the seconds that it took. */
export async function timed<Result>(act: () => Promise<Result>): Promise<{ result: Result; seconds: number }> {
  const since = performance.now()
  const result = await act()
  return { result, seconds: (performance.now() - since) / 1000 }
}

/** Runs `act` `count` times in sequence. */
export async function times<Result>(count: number, act: (index: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (let index = 0; index < count; index++) results.push(await act(index))
  return results
}

/** Runs `act` for each item, at most `width` at once, and returns the results in the order of the items. */
export async function eachAtOnce<Item, Result>(
  items: readonly Item[],
  width: number,
  act: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = items.entries()
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const [index, item] of queue) results[index] = await act(item)
    }),
  )
  return results
}
