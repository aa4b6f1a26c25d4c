import type { Random } from '../scheduling/random.ts'

/** What is drawn from a stream of numbers. */
export interface Draws {
  chance(share: number): boolean
  /** A whole number, both ends included. */
  between(least: number, most: number): number
  /** A whole number as likely to lie between 1 and 10 as between 10 and 100; both ends included. */
  logUniform(least: number, most: number): number
  oneOf<Item>(items: readonly Item[]): Item
  /** Several of them, each at most once, in their order. */
  someOf<Item>(items: readonly Item[], count: number): Item[]
  /** So many of what `make` makes of 0, 1, 2 … */
  times<Item>(count: number, make: (index: number) => Item): Item[]
  /** A field that is there in a share of all cases, and absent in the others. */
  maybe<Name extends string, Value>(share: number, name: Name, make: () => Value): { [name in Name]?: Value }
}

export function createDraws({ next, below }: Pick<Random, 'next' | 'below'>): Draws {
  const chance = (share: number) => next() < share
  const between = (least: number, most: number) => least + below(most - least + 1)
  return {
    chance,
    between,
    logUniform: (least, most) =>
      Math.min(most, Math.floor(Math.exp(Math.log(least) + next() * Math.log(most / least)))),
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
