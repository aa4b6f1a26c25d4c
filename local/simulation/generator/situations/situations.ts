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
import {
  accepted,
  clippedByTimes,
  composedAlone,
  deletedFinally,
  rejected,
  restoredRecording,
} from './published-recordings.ts'
import {
  controlled,
  failingAdditions,
  missed,
  nextLayouts,
  refused,
  replaced,
  series,
  swept,
} from './requested-changes.ts'
import type { DrawSituation, Situation } from './situation.ts'
import { lateStarts, lostRecordings, unstableOutputs } from './unreliable-platform.ts'

/** Of this many seeds, one has a situation. */
const EVERY = 2

/** The situations, in their turns. */
const situations: readonly DrawSituation[] = [
  ...[replaced, stoppedInPause, accepted, failedBroadcast, clippedByTimes, forgottenBroadcast, refused, nextLayouts],
  ...[missed, lostDials, failingAdditions, restoredRecording, calledBack, failedAgainAndAgain, startedDirectly],
  ...[handedOver, deletedFinally, rejected, series, controlled, unstableOutputs, lateStarts, lostRecordings],
  ...[composedAlone, swept],
]

/** Returns the situation of a seed. Odd seeds have none. @param beginning of its world, in milliseconds since the epoch */
export const situationOf = (seed: number, draws: Draws, beginning: number): Situation | undefined =>
  seed % EVERY === 0 ? situations[situationsBefore(seed) % situations.length]?.(draws, beginning) : undefined

/** Returns the number of seeds below this one that have no situation. */
export const randomSeedsBefore = (seed: number): number => seed - situationsBefore(seed)

const situationsBefore = (seed: number) => Math.ceil(seed / EVERY)
