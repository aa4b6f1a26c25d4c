import type { Mutation } from './mutant.ts'

interface Case {
  readonly what: string
  readonly edits: Mutation
  /** Invariants one of which catches it. */
  readonly caughtBy: readonly string[]
  /** A seed that caught it when this was written. It is tried first, since most seeds do not. */
  readonly seed: number
}

/** Mutations that the simulation has to detect. */
export const mutations: readonly Case[] = [
  {
    what: 'a tag that several recordings have',
    edits: [
      {
        file: 'lib/show/document/fields/names.ts',
        text: '`${showId}/${resource}/${part}`',
        instead: '`${showId}/${part}`',
      },
    ],
    caughtBy: ['one archive per part', 'every archive accounted for'],
    seed: 3,
  },
  {
    what: 'archives that nobody adopts',
    edits: [
      {
        file: 'lib/show/run/composed-resources.ts',
        text: 'if (carriedTag(found) === tag) return found',
        instead: 'if (carriedTag(found) === null) return found',
      },
      {
        file: 'lib/show/run/merge-observation.ts',
        text: 'if (unnoted && idOf(unnoted)) return entries',
        instead: 'if (!unnoted || unnoted) return entries',
      },
      {
        file: 'lib/show/run/finish/recording-outcomes.ts',
        text: ' ?? archives.find((archive) => carriedTag(archive) === tag)',
        instead: '',
      },
    ],
    caughtBy: ['one archive per part', 'every archive accounted for'],
    seed: 2,
  },
  {
    what: 'a sweep that finds nothing to do',
    edits: [
      {
        file: 'lib/show/run/sweep/sweep.ts',
        text: 'const showIds = await Array.fromAsync(services.records.eachUnfinished())',
        instead: 'const showIds: string[] = []',
      },
    ],
    caughtBy: ['nothing left running', 'every show reported'],
    seed: 2,
  },
  {
    what: 'parts that do not overlap',
    edits: [
      { file: 'lib/show/plan/part-sequences.ts', text: 'export const LEAD = 120', instead: 'export const LEAD = 0' },
    ],
    caughtBy: ['no gap between parts'],
    seed: 4,
  },
  {
    what: 'a secret of a show in the log',
    edits: [
      {
        file: 'lib/aws/show-secrets.ts',
        text: 'const { [key]: value, [destinationsKey]: destinations } = read',
        instead: 'console.log(read); const { [key]: value, [destinationsKey]: destinations } = read',
      },
    ],
    caughtBy: ['no secret shown'],
    seed: 1,
  },
]
