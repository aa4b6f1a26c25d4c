import type { RecordingOrder } from '../document/recording.ts'
import { mayRecord } from './part-entries.ts'
import type { PauseAction } from './pause-request.ts'
import type { ShowState } from './state.ts'

/** A time in which a recording is paused, in milliseconds since the epoch; `to` is when it resumes, Infinity if unknown. */
export interface Pause {
  readonly from: number
  readonly to: number
}

type Paused = Pick<RecordingOrder, 'name' | 'pauses'>
type Pausing = Pick<ShowState, 'liveAt' | 'pauses'>

/**
 * Returns the pauses of a recording, planned and requested, earliest first and apart from each other. A request to resume ends
 * every pause at its time. A show that is not live has none.
 */
export function pausesOf({ name, pauses = [] }: Paused, { liveAt, pauses: requests = [] }: Pausing): Pause[] {
  if (liveAt === undefined) return []
  const began = Date.parse(liveAt)
  const timesOf = (action: PauseAction) =>
    requests.filter((one) => one.recording === name && one.action === action).map(({ at }) => Date.parse(at))
  const resumed = timesOf('resume')
  const all = [
    ...pauses.map(({ from, to }) => ({ from: began + from * 1000, to: began + to * 1000 })),
    ...timesOf('pause').map((from) => ({ from, to: Number.POSITIVE_INFINITY })),
  ].map(({ from, to }) => ({ from, to: Math.min(to, ...resumed.filter((at) => at >= from)) }))
  return all.sort((one, other) => one.from - other.from).reduce(joinOverlapping, [])
}

function joinOverlapping(joined: readonly Pause[], next: Pause): Pause[] {
  const last = joined.at(-1)
  if (!last || next.from > last.to) return [...joined, next]
  return [...joined.slice(0, -1), { from: last.from, to: Math.max(last.to, next.to) }]
}

/** Returns whether a recording is paused at a time, also if a part of it still runs. */
export const isPausedAt = (order: Paused, state: Pausing, time: number): boolean =>
  pausesOf(order, state).some(({ from, to }) => from <= time && time < to)

/** Returns whether a recording is paused: it has begun, and none of its parts runs. */
export const isPaused = (order: Paused, state: Pausing & Pick<ShowState, 'recordings'>, now: number): boolean =>
  isPausedAt(order, state, now) && !state.recordings.some((one) => one.name === order.name && mayRecord(one))
