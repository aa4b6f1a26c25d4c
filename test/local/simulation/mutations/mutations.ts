import type { Mutation } from './mutant.ts'

interface Case extends Mutation {
  readonly what: string
  /** Invariants one of which catches it. */
  readonly caughtBy: readonly string[]
}

/** What the simulation has to notice. */
export const mutations: readonly Case[] = [
  {
    what: 'a tag that several recordings have',
    file: 'lib/workflow/names.ts',
    text: '`${showId}/${resource}/${part}`',
    instead: '`${showId}/${part}`',
    caughtBy: ['one archive per part', 'every archive accounted for'],
  },
  {
    what: 'a start that does not look for what an earlier one has started',
    file: 'lib/services/adoption.ts',
    text: 'const find = () => findArchive(platform, order.sessionId, tag)',
    instead: 'const find = async () => undefined',
    caughtBy: ['one archive per part', 'every archive accounted for', 'nothing left running'],
  },
  {
    what: 'a sweep that finds nothing to do',
    file: 'lambdas/sweep-shows.ts',
    text: 'const showIds = await listUnfinished(services)',
    instead: 'const showIds: string[] = []',
    caughtBy: ['nothing left running', 'every show reported'],
  },
  {
    what: 'parts that do not overlap',
    file: 'lib/workflow/chains.ts',
    text: 'export const LEAD = 120',
    instead: 'export const LEAD = 0',
    caughtBy: ['no gap between parts'],
  },
  {
    what: 'a secret of a show in the log',
    file: 'lib/services/show-secrets.ts',
    text: 'const shape = z.object({ [key]: z.string().min(1) })',
    instead:
      'const shape = z.object({ [key]: z.string().min(1) }); console.log(await secrets.read(prefix + name, shape, { fresh: true }))',
    caughtBy: ['no secret shown'],
  },
]
