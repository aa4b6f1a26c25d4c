import { placeOf } from '../document/starts/start-delay.ts'
import { isLive } from '../state/part-entries.ts'
import type { PartsSituation } from './next-parts.ts'
import { type PartStep, TOGETHER } from './part-sequences.ts'

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

/** Seconds between two polls of a show that shares observations. They are at most 5 s old, so that it notices as early. */
export const SHARED_POLL_INTERVAL = 52
/** Shows that poll in one second, if they share observations and all are live: the polls are spread no more than that takes. */
const POLLS_PER_SECOND = 20
/** Seconds over which the polls of few shows are spread: each uses the observation of the first. */
const MIN_SPREAD = 2.5

/**
 * Returns when a show that shares observations polls next, in ms since the epoch. Its polls are in step with those of the
 * other shows, so that one observation serves many.
 * @param sharedBy number of live shows
 */
function timeOfSharedPoll(showId: string, sharedBy: number, now: number): number {
  const interval = SHARED_POLL_INTERVAL * 1000
  const spread = Math.min(interval, Math.max(MIN_SPREAD, sharedBy / POLLS_PER_SECOND) * 1000)
  const place = Math.floor(placeOf(showId) * spread)
  const next = Math.floor((now - place) / interval) * interval + place + interval
  return next - now < 1_000 ? next + interval : next
}

/**
 * Returns the time of the next poll in ms since the epoch: soon while a change is expected, by the next planned step.
 * @param sharedBy number of shows that share observations. @default none
 */
export function timeOfNextPoll(
  { state, now }: Pick<PartsSituation, 'state' | 'now'>,
  steps: readonly PartStep[],
  sharedBy?: number,
): number {
  const { liveAt = '', plannedEndAt = '', broadcasts, timeline } = state
  const isWarmingUp = now < Date.parse(liveAt) + WARM_UP * 1000
  const isUnderWay = steps.some(({ at }) => at <= now && now < at + FAST_POLL_WINDOW * 1000)
  const isGoingLive = broadcasts
    .filter((one) => isLive(one) && now < Date.parse(one.createdAt ?? '') + FAST_POLL_WINDOW * 1000)
    .some((one) => !timeline.some(({ what, name, part }) => what === LIVE && name === one.name && part === one.part))
  const isSoon = isWarmingUp || isUnderWay || isGoingLive
  const soon = now + (isSoon ? MIN_POLL_INTERVAL : MAX_POLL_INTERVAL) * 1000
  const next = isSoon || sharedBy === undefined ? soon : timeOfSharedPoll(state.showId, sharedBy, now)
  return Math.min(Date.parse(plannedEndAt), next, nextStep(steps, now))
}

const LIVE = 'broadcast.live'

/** Returns the time of the next step. Stops that are due at about the same time are taken together, except those of pauses. */
function nextStep(steps: readonly PartStep[], now: number): number {
  const ahead = steps.filter(({ at }) => at > now)
  const times = (action: PartStep['action']) =>
    ahead.filter((step) => !step.isExact && step.action === action).map(({ at }) => at)
  const stops = times('stop')
  const firstStop = Math.min(...stops)
  const lastTogether = Math.max(...stops.filter((at) => at <= firstStop + TOGETHER * 1000))
  const exact = ahead.filter(({ isExact }) => isExact).map(({ at }) => at)
  return Math.min(...exact, ...times('start'), stops.length > 0 ? lastTogether : Number.POSITIVE_INFINITY)
}
