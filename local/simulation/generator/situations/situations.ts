import type { Draws } from '../draws.ts'
import {
  calledBack,
  failedAgainAndAgain,
  failedBroadcast,
  forgottenBroadcast,
  handedOver,
  lostDials,
  startedDirectly,
  stoppedInPause,
} from './interrupted-shows.ts'
import { accepted, clippedByTimes, deletedFinally, rejected, restoredRecording } from './published-recordings.ts'
import { controlled, failingAdditions, missed, nextLayouts, refused, replaced, series } from './requested-changes.ts'
import type { DrawSituation, Situation } from './situation.ts'

/** Of this many seeds, those with these remainders have a situation. */
const EVERY = 5
const REMAINDERS = [2, 4]

/** The situations, in their turns. */
const situations: readonly DrawSituation[] = [
  ...[replaced, stoppedInPause, accepted, failedBroadcast, clippedByTimes, forgottenBroadcast, refused, nextLayouts],
  ...[missed, lostDials, failingAdditions, restoredRecording, calledBack, failedAgainAndAgain, startedDirectly],
  ...[handedOver, deletedFinally, rejected, series, controlled],
]

/** Returns the situation of a seed. Most seeds have none. @param beginning of its world, in milliseconds since the epoch */
export const situationOf = (seed: number, draws: Draws, beginning: number): Situation | undefined =>
  REMAINDERS.includes(seed % EVERY)
    ? situations[situationsBefore(seed) % situations.length]?.(draws, beginning)
    : undefined

/** Returns the number of seeds below this one that have no situation. */
export const randomSeedsBefore = (seed: number): number => seed - situationsBefore(seed)

const situationsBefore = (seed: number) =>
  Math.floor(seed / EVERY) * REMAINDERS.length + REMAINDERS.filter((one) => one < seed % EVERY).length
