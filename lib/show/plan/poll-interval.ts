import { isLive } from '../state/part-entries.ts'
import type { PartStep, PartsSituation } from './next-parts.ts'
import { TOGETHER } from './part-sequences.ts'

/**
 * Returns the seconds until the next poll while waiting: a share of the time waited so far, at least 2. An early change is noticed
 * early, and a wait of a day takes a few hundred polls, far below the history quota of Step Functions.
 * @param waited seconds
 */
export const secondsUntilNextPoll = (waited: number, share: number): number => Math.max(2, Math.floor(waited * share))

/** Seconds between two polls while no change is expected: an unplanned end is noticed within a minute. */
export const MAX_POLL_INTERVAL = 50
/** Seconds between two polls while a change is expected. */
export const MIN_POLL_INTERVAL = 5
/** Seconds from the start with fast polls: broadcasts go live, and participants leave a wrong session. */
export const WARM_UP = 60
/** Seconds for which an expected change causes fast polls, which bounds their number. */
export const FAST_POLL_WINDOW = 300

/** Returns the time of the next poll in ms since the epoch: soon while a change is expected, by the next planned step. */
export function timeOfNextPoll(
  { state, now }: Pick<PartsSituation, 'state' | 'now'>,
  steps: readonly PartStep[],
): number {
  const { liveAt = '', plannedEndAt = '', broadcasts, timeline } = state
  const isWarmingUp = now < Date.parse(liveAt) + WARM_UP * 1000
  const isUnderWay = steps.some(({ at }) => at <= now && now < at + FAST_POLL_WINDOW * 1000)
  const isGoingLive = broadcasts
    .filter((one) => isLive(one) && now < Date.parse(one.createdAt ?? '') + FAST_POLL_WINDOW * 1000)
    .some((one) => !timeline.some(({ what, name, part }) => what === LIVE && name === one.name && part === one.part))
  const seconds = isWarmingUp || isUnderWay || isGoingLive ? MIN_POLL_INTERVAL : MAX_POLL_INTERVAL
  return Math.min(Date.parse(plannedEndAt), now + seconds * 1000, nextStep(steps, now))
}

const LIVE = 'broadcast.live'

/** Returns the time of the next step. Stops that are due at about the same time are taken together. */
function nextStep(steps: readonly PartStep[], now: number): number {
  const times = (action: PartStep['action']) =>
    steps.filter((step) => step.action === action && step.at > now).map(({ at }) => at)
  const stops = times('stop')
  const firstStop = Math.min(...stops)
  const lastTogether = Math.max(...stops.filter((at) => at <= firstStop + TOGETHER * 1000))
  return Math.min(...times('start'), stops.length > 0 ? lastTogether : Number.POSITIVE_INFINITY)
}
