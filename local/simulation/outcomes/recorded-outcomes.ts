import { readFileSync } from 'node:fs'
import { differencesOf, type Outcome, type Part, parts } from './outcome.ts'

/** The committed table of outcomes, which `npm run simulate -- --seeds 100 --record` writes. */
export const OUTCOMES = new URL('./outcomes.csv', import.meta.url)

/** Outcomes by their seeds. */
export type Outcomes = ReadonlyMap<number, Outcome>

/** A seed whose outcome is another one than the recorded one. */
export interface Change {
  readonly seed: number
  readonly parts: readonly Part[]
}

export const readOutcomes = (): Outcomes => parseOutcomes(readFileSync(OUTCOMES, 'utf8'))

/** Returns the seeds whose outcomes are recorded and have changed. */
export const changesOf = (outcomes: Outcomes, recorded: Outcomes): readonly Change[] =>
  [...outcomes].flatMap(([seed, outcome]) => {
    const former = recorded.get(seed)
    const different = former ? differencesOf(former, outcome) : []
    return different.length > 0 ? [{ seed, parts: different }] : []
  })

/** Adds outcomes to those that are recorded, in the order of their seeds. */
export const withOutcomes = (recorded: Outcomes, outcomes: Outcomes): Outcomes =>
  new Map([...new Map([...recorded, ...outcomes])].toSorted(([one], [other]) => one - other))

export const renderOutcomes = (outcomes: Outcomes): string =>
  [['seed', ...parts], ...[...outcomes].map(([seed, outcome]) => [seed, ...parts.map((part) => outcome[part])])]
    .map((cells) => `${cells.join()}\n`)
    .join('')

/** Parses the table. */
export function parseOutcomes(text: string): Outcomes {
  const [, ...lines] = text.trimEnd().split('\n')
  return new Map(
    lines.map((line) => {
      const [seed, ...digests] = line.split(',')
      return [Number(seed), Object.fromEntries(parts.map((part, at) => [part, digests[at] ?? ''])) as Outcome]
    }),
  )
}
