import { archiveReasons } from '../../platform/contract/archives.ts'
import type { PartsPlan } from '../../tasks/show-running.ts'
import type { Show } from '../document/show.ts'
import { isBroadcastStopped } from '../state/broadcast-orders.ts'
import { mayBeLive, runsAnything } from '../state/part-entries.ts'
import type { ShowState } from '../state/state.ts'
import {
  type PartSequence,
  type PartStep,
  partSequencesOf,
  type SeenBroadcast,
  type SequencedPart,
  TOGETHER,
} from './part-sequences.ts'
import { CONTINUE_WINDOW, outsidePauses, startAfterPause, stopsForPause } from './pause-steps.ts'

/**
 * Seconds from the start of an interrupted part to the earliest start of the next one, by the number of parts that started within
 * the hour. They prevent many short parts of a recording that is interrupted repeatedly.
 */
const PAUSES = [0, 15, 60, 240, 960] as const
/** Parts of one recording that may start within an hour because the one before was interrupted. */
export const MAX_PARTS_PER_HOUR: number = PAUSES.length

export interface PartsSituation {
  readonly show: Show
  readonly state: ShowState
  readonly broadcasts: readonly SeenBroadcast[]
  /** True if the state was just observed: nothing is stopped by older statuses. */
  readonly isFresh: boolean
  readonly now: number
}

/**
 * Returns the parts to start and stop now; null if there are none.
 * @param steps those that `stepsAhead` returns for the situation. @default they are computed
 */
export function planParts(situation: PartsSituation, steps = stepsAhead(situation)): PartsPlan | null {
  const { now } = situation
  if (!steps.some(({ at }) => at <= now)) return null
  const starts = steps.filter(
    ({ action, at, isExact }) => action === 'start' && at <= now + (isExact ? 0 : TOGETHER * 1000),
  )
  const isHandedOver = (stop: PartStep) =>
    starts.some(({ kind, name, at }) => kind === stop.kind && name === stop.name && at === stop.at)
  const stops = steps.filter((step) => step.action === 'stop' && (step.at <= now || isHandedOver(step)))
  const pick = (kind: PartStep['kind'], action: PartStep['action']) =>
    (action === 'start' ? starts : stops).filter((step) => step.kind === kind).map(({ name, part }) => ({ name, part }))
  return {
    recordings: { start: pick('recordings', 'start'), stop: pick('recordings', 'stop') },
    broadcasts: { start: pick('broadcasts', 'start'), stop: pick('broadcasts', 'stop') },
  }
}

/** Returns all present and future steps by the current state. */
export function stepsAhead({ show, state, broadcasts, isFresh, now }: PartsSituation): PartStep[] {
  const { plannedEndAt, stopAskedAt, endedAt } = state
  if (!plannedEndAt || stopAskedAt || endedAt) return []
  const plannedEnd = Date.parse(plannedEndAt)
  const isConnected = runsAnything(state)
  const hasEmptied = !isConnected && state.recordings.some(({ reason }) => reason === LEFT)
  const mayContinue = ({ kind, name }: PartSequence, current: SequencedPart) =>
    isConnected || (!hasEmptied && now < endNoticed(state, { kind, name, current }) + CONTINUE_WINDOW * 1000)

  const parts = partSequencesOf(show, state, broadcasts, now).flatMap((sequence) => {
    const next = nextStart(sequence, plannedEnd, now, (current) => mayContinue(sequence, current))
    const start = startAfterPause(sequence, now, isConnected) ?? outsidePauses(sequence, next, now)
    const starts = start && start.at < plannedEnd ? [start] : []
    const handedOver = sequence.isExclusive ? starts.flatMap((step) => stopBefore(sequence, step)) : []
    const paused = stopsForPause(sequence, now)
    const isPaused = (step: PartStep) => paused.some(({ part, at }) => part === step.part && at <= step.at)
    const stops = [...paused, ...overlapped(sequence).filter((step) => !isPaused(step))]
    return [...starts, ...handedOver, ...stops.filter(({ at, isExact }) => isFresh || (isExact && at > now))]
  })
  return isFresh ? [...parts, ...stopsOnRequest(state, now)] : parts
}

/** Returns the stops of broadcasts that were asked to stop, and run all the same. */
const stopsOnRequest = (state: ShowState, now: number): PartStep[] =>
  state.broadcasts
    .filter((one) => isBroadcastStopped(one.name, state) && mayBeLive(one))
    .map(({ name, part }) => ({ kind: 'broadcasts', action: 'stop', name, part, at: now }))

const LEFT = archiveReasons.sessionEnded

function nextStart(
  { kind, name, parts }: PartSequence,
  plannedEnd: number,
  now: number,
  mayContinue: (current: SequencedPart) => boolean,
): PartStep | undefined {
  const last = parts.at(-1)
  if (!last) return undefined
  const step = (at: number): PartStep => ({ kind, action: 'start', name, part: last.part + 1, at })
  if (last.runs) return plannedEnd > last.endsAt ? step(last.dueAt) : undefined
  if (last.ranOut) return plannedEnd > last.endsAt && mayContinue(last) ? step(last.dueAt) : undefined
  if (!last.wasInterrupted || !mayContinue(last)) return undefined
  const recent = parts.filter(({ part, createdAt }) => part > 1 && createdAt > now - 3_600_000).length
  const pause = PAUSES[recent]
  // Exact, so that no start of another recording shortens the pause.
  return pause === undefined ? undefined : { ...step(last.createdAt + pause * 1000), isExact: true }
}

/** Stops an exclusive part when its successor starts. */
const stopBefore = ({ kind, name, parts }: PartSequence, { part, at }: PartStep): PartStep[] =>
  parts
    .filter((current) => current.runs && current.part < part)
    .map((current) => ({ kind, action: 'stop', name, part: current.part, at }))

/** Stops parts whose successor runs, after the overlap. */
const overlapped = ({ kind, name, parts, overlap }: PartSequence): PartStep[] =>
  parts.flatMap((current) => {
    const next = parts.find(({ part, takesOver }) => part > current.part && takesOver)
    if (!next || !current.runs || current.wasStopped) return []
    return { kind, action: 'stop', name, part: current.part, at: next.createdAt + overlap * 1000 }
  })

/** Returns the time at which the end of a part was noticed. */
function endNoticed(
  { timeline }: ShowState,
  { kind, name, current }: { kind: PartStep['kind']; name: string; current: SequencedPart },
): number {
  const what = kind === 'recordings' ? 'recording.failed' : 'broadcast.failed'
  const entry = timeline.find((one) => one.what === what && !one.id && one.name === name && one.part === current.part)
  if (entry) return Date.parse(entry.at)
  return current.wasInterrupted ? Number.POSITIVE_INFINITY : current.endsAt
}
