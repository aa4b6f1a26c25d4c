import { archiveReasons } from '../../platform/contract/archives.ts'
import { limits } from '../../platform/contract/limits.ts'
import { type BroadcastOrder, longestBroadcast } from '../document/broadcast.ts'
import type { Show } from '../document/show.ts'
import { broadcastOrders, isBroadcastStopped } from '../state/broadcast-orders.ts'
import { isLive, isRecording, mayBeLive, mayRecord } from '../state/part-entries.ts'
import { type Pause, pausesOf } from '../state/pauses.ts'
import type { BroadcastState, RecordingState } from '../state/resources.ts'
import type { ShowState } from '../state/state.ts'

/** Seconds before the platform stops a part at which the next one is due: a minute of retries, and a minute of margin. */
export const LEAD = 120
/** Seconds of overlap of two parts of a recording: enough to find it, and more than any delay of a first frame. */
export const OVERLAP = 12
/** Seconds for which the playlists of two parts of a broadcast are both live, so that viewers can change over. */
export const CHANGE_OVER = 30
/** Seconds within which due steps are taken together, because all recordings start at about the same time. */
export const TOGETHER = 30

/** One part as the planning needs it; times in milliseconds since the epoch. */
export interface SequencedPart {
  readonly part: number
  readonly createdAt: number
  /** Time at which the platform stops the part. */
  readonly endsAt: number
  /** Time at which the next part is due, if the show continues. */
  readonly dueAt: number
  readonly runs: boolean
  /** True if the part failed although the show continues; reaching its limit does not count. */
  readonly wasInterrupted: boolean
  /** True if the part reached its limit, or was stopped for a next part that does not exist. */
  readonly ranOut: boolean
  readonly wasStopped: boolean
  /** True if the part before can be stopped after the overlap. */
  readonly takesOver: boolean
}

export interface PartSequence {
  readonly kind: 'recordings' | 'broadcasts'
  readonly name: string
  /** In order. */
  readonly parts: readonly SequencedPart[]
  readonly overlap: number
  /** True if two parts must not run at once: an RTMP server accepts a stream key once. */
  readonly isExclusive: boolean
  /** Times in which no part runs, the earliest first. */
  readonly pauses: readonly Pause[]
}

/** A start or stop of a part; `at` in milliseconds since the epoch. */
export interface PartStep {
  readonly kind: 'recordings' | 'broadcasts'
  readonly action: 'start' | 'stop'
  readonly name: string
  readonly part: number
  readonly at: number
  /** True for a step of a pause, and for a start after a failure: it is taken at its time, and not together with others. */
  readonly isExact?: boolean
}

/** The planned properties of an observed broadcast. */
export interface SeenBroadcast {
  readonly id: string
  /** Seconds. */
  readonly maxDuration?: number | undefined
}

/** Returns the parts of every recording and broadcast that continues in parts. */
export function partSequencesOf(
  show: Show,
  state: ShowState,
  seen: readonly SeenBroadcast[],
  now: number,
): PartSequence[] {
  const recordings = show.recordings
    .filter(({ parts }) => parts)
    .map((order) => ({
      kind: 'recordings' as const,
      name: order.name,
      overlap: OVERLAP,
      isExclusive: false,
      pauses: pausesOf(order, state),
      parts: begun(state.recordings, order.name).map(recordingPart),
    }))
  const broadcasts = broadcastOrders(show.broadcasts, state)
    .filter(({ name, parts }) => parts && !isBroadcastStopped(name, state))
    .map((order) => ({
      kind: 'broadcasts' as const,
      name: order.name,
      overlap: CHANGE_OVER,
      isExclusive: order.rtmp.length > 0,
      pauses: [],
      parts: begun(state.broadcasts, order.name).map((one) => broadcastPart(one, order, seen, now)),
    }))
  return [...recordings, ...broadcasts]
}

type Begun<Entry> = Entry & { readonly createdAt: string }
const begun = <Entry extends { name: string; part: number; createdAt?: string | undefined }>(
  entries: readonly Entry[],
  name: string,
): Begun<Entry>[] =>
  entries
    .filter((entry): entry is Begun<Entry> => entry.name === name && entry.createdAt !== undefined)
    .sort((one, other) => one.part - other.part)

function recordingPart(recording: Begun<RecordingState>): SequencedPart {
  const { part, status, reason, stoppedAt } = recording
  const createdAt = Date.parse(recording.createdAt)
  const hasRunOut = reason === archiveReasons.maximumDuration
  const endedOtherwise = reason !== undefined && reason !== archiveReasons.failure && !hasRunOut
  return {
    ...timesOf(part, createdAt, limits.archiveDuration.value),
    runs: mayRecord(recording),
    wasInterrupted: status === 'failed' && !hasRunOut && !endedOtherwise && stoppedAt === undefined,
    ranOut: hasRunOut && !isRecording(recording),
    wasStopped: stoppedAt !== undefined,
    takesOver: isRecording(recording),
  }
}

function broadcastPart(
  broadcast: Begun<BroadcastState>,
  order: BroadcastOrder,
  seen: readonly SeenBroadcast[],
  now: number,
): SequencedPart {
  const { part, status, hlsStatus } = broadcast
  const createdAt = Date.parse(broadcast.createdAt)
  const reported = seen.find(({ id }) => id === broadcast.broadcastId)?.maxDuration
  const times = timesOf(part, createdAt, reported ?? longestBroadcast(order))
  const isPlayable = !order.hls || hlsStatus === undefined || hlsStatus === 'ready' || hlsStatus === 'live'
  return {
    ...times,
    runs: mayBeLive(broadcast),
    wasStopped: false,
    wasInterrupted: status === 'failed',
    // The platform does not report why a broadcast ended: near its limit, the limit is assumed.
    ranOut: status === 'stopped' && now >= times.dueAt - TOGETHER * 1000,
    takesOver: isLive(broadcast) && isPlayable,
  }
}

/** Shortens the lead for a part with a short limit. */
function timesOf(part: number, createdAt: number, seconds: number) {
  const endsAt = createdAt + seconds * 1000
  return { part, createdAt, endsAt, dueAt: endsAt - Math.min(LEAD, seconds / 4) * 1000 }
}
