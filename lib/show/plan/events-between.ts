import { limits } from '../../platform/contract/limits.ts'
import type { Show } from '../document/show.ts'
import { isPaused } from '../state/pauses.ts'
import type { BroadcastState } from '../state/resources.ts'
import type { ShowState } from '../state/state.ts'
import type { TimelineEvent } from '../state/timeline-events.ts'
import { outputEvents } from './output-events.ts'

/** Returns the events between two states of a show; the timeline keeps each once. @param before may lack a part that has started */
export function eventsBetween(before: ShowState, after: ShowState, now: number): TimelineEvent[] {
  return [...recordingsIn(before, after), ...broadcastsIn(before, after, now), ...scenesIn(after)]
}

function recordingsIn(before: ShowState, after: ShowState): TimelineEvent[] {
  const noted = new Set(before.recordings.map(({ archiveId }) => archiveId))
  return after.recordings.flatMap(({ name, part, archiveId, status, reason }) => [
    ...(archiveId && !noted.has(archiveId) ? [{ what: 'recording.started', name, part } as const] : []),
    ...(status === 'failed' ? [{ what: 'recording.failed', name, part, ...inDetail(reason) } as const] : []),
  ])
}

/** Returns the pauses of recordings, and the parts with which they resumed; the timeline keeps each once. */
export const pauseEvents = ({ recordings }: Pick<Show, 'recordings'>, state: ShowState, now: number): TimelineEvent[] =>
  recordings.flatMap((order): TimelineEvent[] => {
    const parts = state.recordings.filter(({ name, archiveId }) => name === order.name && archiveId !== undefined)
    const last = parts.toSorted((one, other) => one.part - other.part).at(-1)
    const isNotedPause = ({ what, name, part = 1 }: TimelineEvent, resumed: number) =>
      what === PAUSED && name === order.name && part === resumed - 1
    return [
      ...(last && isPaused(order, state, now) ? [{ what: PAUSED, name: order.name, part: last.part }] : []),
      ...parts
        .filter(({ part }) => state.timeline.some((entry) => isNotedPause(entry, part)))
        .map(({ name, part }) => ({ what: 'recording.resumed' as const, name, part })),
    ]
  })

const PAUSED = 'recording.paused' as const

function broadcastsIn(before: ShowState, after: ShowState, now: number): TimelineEvent[] {
  const noted = new Set(before.broadcasts.map(({ broadcastId }) => broadcastId))
  return after.broadcasts.flatMap((broadcast) => {
    const { name, part, broadcastId, status, rtmp = [] } = broadcast
    return [
      ...(broadcastId && !noted.has(broadcastId) ? [{ what: 'broadcast.started', name, part } as const] : []),
      ...(isWatchable(broadcast, now) ? [{ what: 'broadcast.live', name, part } as const] : []),
      ...(status === 'failed' ? [{ what: 'broadcast.failed', name, part } as const] : []),
      ...rtmp.flatMap((output) => outputEvents(after, broadcast, output, now)),
    ]
  })
}

const sceneEvents = new Map<string | undefined, 'scene.started' | 'scene.failed' | 'scene.ended'>([
  ['started', 'scene.started'],
  ['failed', 'scene.failed'],
  ['stopped', 'scene.ended'],
])

const scenesIn = ({ scenes }: ShowState): TimelineEvent[] =>
  scenes.flatMap(({ name, composerId, status, reason }): TimelineEvent[] => {
    const what = sceneEvents.get(status)
    return composerId && what ? [{ what, name, ...(status !== 'started' && inDetail(reason)) }] : []
  })

/** Returns whether viewers can watch a broadcast: its playlist plays or, without a playlist, a server receives it. */
function isWatchable({ status, createdAt, hls, hlsStatus, rtmp = [] }: BroadcastState, now: number): boolean {
  if (status !== 'started' && status !== 'live') return false
  if (!hls) return rtmp.some((output) => output.status === 'live')
  if (hlsStatus === 'live') return true
  const isWarm = createdAt !== undefined && now >= Date.parse(createdAt) + limits.hlsWarmUp.value * 1000
  return isWarm && (hlsStatus === 'ready' || hlsStatus === undefined)
}

const inDetail = (reason: string | undefined) => (reason ? { detail: reason } : {})
