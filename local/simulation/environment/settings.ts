import { limits } from '../../../lib/platform/contract/limits.ts'
import type { Environment } from '../../../lib/tasks/environment.ts'

/** Settings of a deployment that a seed may choose. */
interface Settings {
  readonly insights?: 'basic' | 'advanced'
  readonly maxPublishes?: number
  readonly callsPerSecond?: number
}

/** Publishes that may have a turn at once in a simulation, so that the recordings of one show wait for one another. */
export const MAX_PUBLISHES = 2

/** Returns the limits of a simulation. */
export const limitsIn = ({ maxPublishes = MAX_PUBLISHES, callsPerSecond = limits.callsPerSecond.value }: Settings) => ({
  maxPublishes,
  callsPerSecond,
})

/** Returns the environment of a function with the settings of a simulation. */
export function withSettings(environment: Environment, settings: Settings): Environment {
  const { maxPublishes, callsPerSecond } = limitsIn(settings)
  return {
    ...environment,
    ...(environment.MAX_PUBLISHES !== undefined && { MAX_PUBLISHES: String(maxPublishes) }),
    ...(environment.PLATFORM_CALLS_PER_SECOND !== undefined && { PLATFORM_CALLS_PER_SECOND: String(callsPerSecond) }),
    ...(environment.INSIGHTS_PLAN !== undefined && settings.insights && { INSIGHTS_PLAN: settings.insights }),
  }
}
