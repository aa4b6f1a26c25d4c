import { archiveReasons } from '../../platform/contract/archives.ts'
import { limits } from '../../platform/contract/limits.ts'
import { type BroadcastOrder, longestBroadcast } from '../document/broadcast.ts'
import type { Show } from '../document/show.ts'
import { broadcastOrders } from '../state/broadcast-orders.ts'
import { isLive, isRecording, mayBeLive, mayRecord } from '../state/part-entries.ts'
import type { BroadcastState, RecordingState } from '../state/resources.ts'
import type { ShowState } from '../state/state.ts'

/** Seconds before the platform ends a part at which the next one is due: a minute of retries, and as much to spare. */
export const LEAD = 120
/** Seconds that two parts of a recording hold both: enough to be found by, and more than any delay of a first frame. */
export const OVERLAP = 12
/** Seconds for which the playlists of two parts of a broadcast are both live, so that viewers can be sent to the next one. */
export const CHANGE_OVER = 30
/** Seconds: what is due so soon after something that is due goes along with it, since all recordings begin at about once. */
export const TOGETHER = 30

/** One part as planning sees it. */
export interface SequencedPart {
  readonly part: number
  readonly createdAt: number
  /** When the platform ends it. */
  readonly endsAt: number
  /** When the next one is due, if the show goes on beyond its end. */
  readonly dueAt: number
  readonly runs: boolean
  /** Whether it broke off although the show goes on; an end by its limit is no break. */
  readonly broke: boolean
  /** Whether it ended because it reached its limit, or was stopped in favour of the next one, which is not there. */
  readonly ranOut: boolean
  readonly wasStopped: boolean
  /** Whether the part before it is not needed any more once they have overlapped. */
  readonly takesOver: boolean
}

export interface PartSequence {
  readonly kind: 'recordings' | 'broadcasts'
  readonly name: string
  /** By part. */
  readonly links: readonly SequencedPart[]
  readonly overlap: number
  /** Whether two parts must not run at once: an RTMP server takes a stream key once. */
  readonly isExclusive: boolean
}

/** What the platform says of a broadcast: best of all how long it lets it run. */
export interface SeenBroadcast {
  readonly id: string
  /** Seconds. */
  readonly maxDuration?: number | undefined
}

/** The parts of everything that goes on in parts. */
export function partSequencesOf(
  show: Show,
  state: ShowState,
  seen: readonly SeenBroadcast[],
  now: number,
): PartSequence[] {
  const recordings = show.recordings
    .filter(({ parts }) => parts)
    .map(({ name }) => ({
      ...({ kind: 'recordings', name, overlap: OVERLAP, isExclusive: false } as const),
      links: begun(state.recordings, name).map(recordingLink),
    }))
  const broadcasts = broadcastOrders(show.broadcasts, state)
    .filter(({ parts }) => parts)
    .map((order) => ({
      ...({ kind: 'broadcasts', name: order.name, overlap: CHANGE_OVER, isExclusive: order.rtmp.length > 0 } as const),
      links: begun(state.broadcasts, order.name).map((one) => broadcastLink(one, order, seen, now)),
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

function recordingLink(recording: Begun<RecordingState>): SequencedPart {
  const { part, status, reason, stoppedAt } = recording
  const createdAt = Date.parse(recording.createdAt)
  const hasRunOut = reason === archiveReasons.maximumDuration
  const endedOtherwise = reason !== undefined && reason !== archiveReasons.failure && !hasRunOut
  return {
    ...timesOf(part, createdAt, limits.archiveDuration.value),
    runs: mayRecord(recording),
    broke: status === 'failed' && !hasRunOut && !endedOtherwise && stoppedAt === undefined,
    ranOut: hasRunOut && !isRecording(recording),
    wasStopped: stoppedAt !== undefined,
    takesOver: isRecording(recording),
  }
}

function broadcastLink(
  broadcast: Begun<BroadcastState>,
  order: BroadcastOrder,
  seen: readonly SeenBroadcast[],
  now: number,
): SequencedPart {
  const { part, status, hlsStatus } = broadcast
  const createdAt = Date.parse(broadcast.createdAt)
  const said = seen.find(({ id }) => id === broadcast.broadcastId)?.maxDuration
  const times = timesOf(part, createdAt, said ?? longestBroadcast(order))
  const isPlayable = !order.hls || hlsStatus === undefined || hlsStatus === 'ready' || hlsStatus === 'live'
  return {
    ...times,
    runs: mayBeLive(broadcast),
    wasStopped: false,
    broke: status === 'failed',
    // The platform does not say why a broadcast has ended: near its limit that is taken for the reason.
    ranOut: status === 'stopped' && now >= times.dueAt - TOGETHER * 1000,
    takesOver: isLive(broadcast) && isPlayable,
  }
}

/** The lead is shorter for a part that is not allowed to run for long. */
function timesOf(part: number, createdAt: number, seconds: number) {
  const endsAt = createdAt + seconds * 1000
  return { part, createdAt, endsAt, dueAt: endsAt - Math.min(LEAD, seconds / 4) * 1000 }
}
