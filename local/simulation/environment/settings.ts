import type { Environment } from '../../../lib/tasks/environment.ts'
import type { Chaos } from '../chaos/chaos.ts'

/** Publishes that may have a turn at once in a simulation, so that the recordings of one show wait for one another. */
export const MAX_PUBLISHES = 2

/** Returns the environment of a function with the settings of a simulation. */
export const withSettings = (
  environment: Environment,
  { insights, maxPublishes = MAX_PUBLISHES }: Pick<Chaos, 'insights' | 'maxPublishes'>,
): Environment => ({
  ...environment,
  ...(environment.MAX_PUBLISHES !== undefined && { MAX_PUBLISHES: String(maxPublishes) }),
  ...(environment.INSIGHTS_PLAN !== undefined && insights && { INSIGHTS_PLAN: insights }),
})
