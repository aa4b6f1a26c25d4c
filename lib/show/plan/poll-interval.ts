import { isLive } from '../state/part-entries.ts'
import type { PartStep, PartsSituation } from './next-parts.ts'
import { TOGETHER } from './part-sequences.ts'

/**
 * Seconds until the next look while waiting: a share of the time waited so far, at least 2. Somebody who comes soon is
 * noticed soon, and a wait of a whole day is a few hundred looks, so that no history nears Step Functions' quota.
 * @param waited seconds
 */
export const secondsUntilNextPoll = (waited: number, share: number): number => Math.max(2, Math.floor(waited * share))

/** Seconds between two looks at a show while nothing is about to change: an end nobody planned is noticed within a minute. */
export const MAX_POLL_INTERVAL = 50
/** Seconds between two looks while something is about to change. */
export const MIN_POLL_INTERVAL = 5
/** Seconds for which a show is young: broadcasts go live, and people who came by mistake leave at once. */
export const WARM_UP = 60
/** Seconds after which something is not about to change any more, whatever it is that has not: this bounds the looks. */
export const FAST_POLL_WINDOW = 300

/**
 * When to look at a show again, in milliseconds: exactly at its planned end and at what is to be done with its parts, if
 * that comes first; soon while something is about to change.
 */
export function nextPollAt({ state, now }: Pick<PartsSituation, 'state' | 'now'>, steps: readonly PartStep[]): number {
  const { liveAt = '', plannedEndAt = '', broadcasts, timeline } = state
  const isYoung = now < Date.parse(liveAt) + WARM_UP * 1000
  const isUnderWay = steps.some(({ at }) => at <= now && now < at + FAST_POLL_WINDOW * 1000)
  const isGettingLive = broadcasts
    .filter((one) => isLive(one) && now < Date.parse(one.createdAt ?? '') + FAST_POLL_WINDOW * 1000)
    .some((one) => !timeline.some(({ what, name, part }) => what === LIVE && name === one.name && part === one.part))
  const seconds = isYoung || isUnderWay || isGettingLive ? MIN_POLL_INTERVAL : MAX_POLL_INTERVAL
  return Math.min(Date.parse(plannedEndAt), now + seconds * 1000, nextStep(steps, now))
}

const LIVE = 'broadcast.live'

/** The next thing to do; several stops that are due at about once are waited for together. */
function nextStep(steps: readonly PartStep[], now: number): number {
  const times = (act: PartStep['act']) => steps.filter((step) => step.act === act && step.at > now).map(({ at }) => at)
  const stops = times('stop')
  const firstStop = Math.min(...stops)
  const lastTogether = Math.max(...stops.filter((at) => at <= firstStop + TOGETHER * 1000))
  return Math.min(...times('start'), stops.length > 0 ? lastTogether : Number.POSITIVE_INFINITY)
}
