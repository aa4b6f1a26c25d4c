import type { Environment } from '../../../lib/tasks/environment.ts'

/** Publishes that may have a turn at once in a simulation, so that the recordings of one show wait for one another. */
export const MAX_PUBLISHES = 2

/** Returns the environment of a function with the maximum of simulations. */
export const withFewPublishes = (environment: Environment): Environment =>
  environment.MAX_PUBLISHES === undefined ? environment : { ...environment, MAX_PUBLISHES: String(MAX_PUBLISHES) }
