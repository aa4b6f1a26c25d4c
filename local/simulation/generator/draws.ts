import type { Random } from '../scheduling/random.ts'

/** Random choices from a stream of numbers. */
export interface Draws {
  /** Returns true with a probability of `share`. */
  chance(share: number): boolean
  /** Returns a whole number, both ends included. */
  between(min: number, max: number): number
  /** Returns a whole number that is as likely between 1 and 10 as between 10 and 100; both ends included. */
  logUniform(min: number, max: number): number
  oneOf<Item>(items: readonly Item[]): Item
  /** Returns several items, each at most once, in their order. */
  someOf<Item>(items: readonly Item[], count: number): Item[]
  /** Returns `make` of 0, 1, 2 and so on. */
  times<Item>(count: number, make: (index: number) => Item): Item[]
  /** Returns a field with a probability of `share`, else an empty object. */
  maybe<Name extends string, Value>(share: number, name: Name, make: () => Value): { [name in Name]?: Value }
}

/** Creates the random choices of a stream of numbers. */
export function createDraws({ next, below }: Pick<Random, 'next' | 'below'>): Draws {
  const chance = (share: number) => next() < share
  return {
    chance,
    between: (min, max) => min + below(max - min + 1),
    logUniform: (min, max) => Math.min(max, Math.floor(Math.exp(Math.log(min) + next() * Math.log(max / min)))),
    oneOf<Item>(items: readonly Item[]) {
      return items[below(items.length)] as Item
    },
    someOf(items, count) {
      const left = items.map((_, index) => index)
      const taken = Array.from({ length: Math.min(count, items.length) }, () => left.splice(below(left.length), 1)[0])
      return items.filter((_, index) => taken.includes(index))
    },
    times: (count, make) => Array.from({ length: count }, (_, index) => make(index)),
    maybe: (share, name, make) =>
      (chance(share) ? { [name]: make() } : {}) as { [name in typeof name]?: ReturnType<typeof make> },
  }
}
