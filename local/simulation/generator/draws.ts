import type { Random } from '../scheduling/random.ts'

/** Random choices from a stream of numbers. */
export type Draws = ReturnType<typeof createDraws>

export function createDraws({ next, below }: Pick<Random, 'next' | 'below'>) {
  /** Returns true with a probability of `share`. */
  const chance = (share: number) => next() < share
  return {
    chance,
    /** Returns a whole number, both ends included. */
    between: (min: number, max: number) => min + below(max - min + 1),
    /** Returns a whole number that is as likely between 1 and 10 as between 10 and 100; both ends included. */
    logUniform: (min: number, max: number) =>
      Math.min(max, Math.floor(Math.exp(Math.log(min) + next() * Math.log(max / min)))),
    oneOf<Item>(items: readonly Item[]): Item {
      return items[below(items.length)] as Item
    },
    /** Returns several items, each at most once, in their order. */
    someOf<Item>(items: readonly Item[], count: number): Item[] {
      const left = items.map((_, index) => index)
      const taken = Array.from({ length: Math.min(count, items.length) }, () => left.splice(below(left.length), 1)[0])
      return items.filter((_, index) => taken.includes(index))
    },
    /** Returns `make` of 0, 1, 2 and so on. */
    times: <Item>(count: number, make: (index: number) => Item) =>
      Array.from({ length: count }, (_, index) => make(index)),
    /** Returns a field with a probability of `share`, else an empty object. */
    maybe: <Name extends string, Value>(share: number, name: Name, make: () => Value) =>
      (chance(share) ? { [name]: make() } : {}) as { [name in typeof name]?: ReturnType<typeof make> },
  }
}
