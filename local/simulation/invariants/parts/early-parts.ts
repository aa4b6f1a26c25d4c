import { limits } from '../../../../lib/platform/contract/limits.ts'
import { longestBroadcast } from '../../../../lib/show/document/broadcast.ts'
import type { TimedStatusChange } from '../../environment/watch-resources.ts'
import type { ShowEvidence } from '../evidence.ts'
import { pausesOf as pausesOfRecording } from './pauses-of.ts'
import { hindrancesIn, movesIn, type WatchEvidence } from './watch-faults.ts'

/** Seconds before the platform’s limit by which the next part runs, so that a retry still succeeds; a short part has less. */
const MARGIN = 60
const SHARE = 1 / 8
/** Seconds before the limit in which a fault, or a change by a caller, may delay the next part. */
const EXCUSED = 1_200

/** Checks that each next part runs a minute before the platform’s limit ends the previous one. */
export function earlyParts({ shows, statusChanges, trace, failedCalls }: WatchEvidence) {
  const excuses = [...movesIn(trace), ...hindrancesIn({ trace, failedCalls })]
  const changesOf = Map.groupBy(statusChanges, ({ id }) => id)
  return shows.flatMap((show) =>
    partsOf(show).flatMap((one, _, all) => {
      const next = all.find(({ kind, name, part }) => kind === one.kind && name === one.name && part === one.part + 1)
      const changes = changesOf.get(one.id) ?? []
      const start = changes.find(isStart)?.at
      const nextStart = changesOf.get(next?.id ?? '')?.find(isStart)?.at
      if (start === undefined || nextStart === undefined || changes.some(({ status }) => status === 'failed')) return []
      const limit = start + one.seconds * 1000 + pausedMs(changes)
      const latest = limit - Math.min(MARGIN, one.seconds * SHARE) * 1000
      const end = changes.find(({ status }) => status === 'stopped')?.at ?? limit
      if (
        nextStart <= latest ||
        end <= latest ||
        pausesOf(show, one).some(({ from }) => from > latest && from <= limit)
      )
        return []
      if (excuses.some((at) => at >= latest - EXCUSED * 1000 && at <= nextStart)) return []
      return [
        `part ${one.part + 1} of ${one.name} began ${(limit - nextStart) / 1000} s before the platform’s limit of part ${one.part}`,
      ]
    }),
  )
}

/** A part that a pause ends has no next part before it. */
function pausesOf({ request, state }: ShowEvidence, { kind, name }: Part) {
  const order = kind === 'archive' ? request?.show.recordings.find((one) => one.name === name) : undefined
  return order && state ? pausesOfRecording(order, state) : []
}

const isStart = ({ status }: TimedStatusChange) => status === 'started'

interface Part {
  readonly kind: 'archive' | 'broadcast'
  readonly name: string
  readonly part: number
  readonly id: string
  /** Limit of the platform in seconds. */
  readonly seconds: number
}

function partsOf({ request, state, result }: ShowEvidence): Part[] {
  const orders = [...(request?.show.broadcasts ?? []), ...(state?.broadcasts ?? []).flatMap(({ order }) => order ?? [])]
  const secondsOf = (name: string) => {
    const order = orders.find((one) => one.name === name)
    return order ? longestBroadcast(order) : limits.broadcastDurationMax.value
  }
  return [
    ...(result?.recordings ?? []).map(({ name, part, archiveId: id = '' }) => ({
      ...{ kind: 'archive' as const, name, part, id, seconds: limits.archiveDuration.value },
    })),
    ...(result?.broadcasts ?? []).map(({ name, part, broadcastId: id = '' }) => ({
      ...{ kind: 'broadcast' as const, name, part, id, seconds: secondsOf(name) },
    })),
  ]
}

/** Returns the milliseconds for which an archive was paused. */
function pausedMs(changes: readonly TimedStatusChange[]): number {
  return changes.reduce((sum, { status, at }, index) => {
    const until = changes[index + 1]?.at
    return status === 'paused' && until !== undefined ? sum + until - at : sum
  }, 0)
}
