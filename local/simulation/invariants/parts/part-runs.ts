import { isTagOf, partOfTag } from '../../../../lib/show/document/fields/names.ts'
import type { Evidence } from '../evidence.ts'

/** A part of a recording or a broadcast, as the platform ran it; times in milliseconds since the epoch. */
export interface PartRun {
  readonly id: string
  readonly name: string
  readonly part: number
  readonly from: number
  /** Infinity while it runs. */
  readonly to: number
  readonly hasFailed: boolean
}

/** Statuses of archives and broadcasts that do not run any more. */
export const endedStatuses: ReadonlySet<string> = new Set([
  'stopped',
  'failed',
  'expired',
  'deleted',
  'uploaded',
  'available',
])

/** Returns the parts of a show’s recordings or broadcasts that the platform started, in the order of their starts. */
export function partRunsOf(
  showId: string,
  kind: 'archive' | 'broadcast',
  statusChanges: Evidence['statusChanges'],
): PartRun[] {
  const own = statusChanges.filter((one) => one.kind === kind && !one.isAutomatic && isTagOf(showId, one.tag))
  return [...Map.groupBy(own, ({ id }) => id)].flatMap(([id, changes]) => {
    const start = changes.find(({ status }) => status === 'started')
    const of = partOfTag(start?.tag)
    if (!start || !of) return []
    const end = changes.find(({ status }) => endedStatuses.has(status))
    const { name, part } = of
    return [
      { id, name, part, from: start.at, to: end?.at ?? Number.POSITIVE_INFINITY, hasFailed: end?.status === 'failed' },
    ]
  })
}

/** Seconds from the start of a failed part to that of the next one, by the parts that started within the hour. */
const PAUSES = [0, 15, 60, 240, 960]
const HOUR = 3_600_000

/**
 * Returns the seconds from the start of a failed part to that of the next one; Infinity if it is the last one in its hour. A part
 * counts once, also if a stray has its tag.
 */
export function pauseAfter({ name, part }: PartRun, runs: readonly PartRun[], time: number): number {
  const isRecent = (one: PartRun) => one.name === name && one.part > 1 && one.part <= part && one.from > time - HOUR
  return PAUSES[new Set(runs.filter(isRecent).map((one) => one.part)).size] ?? Number.POSITIVE_INFINITY
}

/** A time in which no part of a recording or a broadcast runs. */
export interface Gap {
  /** The part that ended. */
  readonly last: PartRun
  /** Start of the next part, or end of the show. */
  readonly to: number
}

/** Returns the gaps between parts of one name, and before the end of their show. */
export function gapsIn(runs: readonly PartRun[], endedAt: number): Gap[] {
  return runs.flatMap((last) => {
    const { to } = last
    if (to >= endedAt || runs.some((other) => other.from <= to && other.to > to)) return []
    const next = Math.min(endedAt, ...runs.map(({ from }) => from).filter((from) => from > to))
    return [{ last, to: next }]
  })
}

/** Returns true if something ran on from one time past another, which shows that participants were connected. */
export const ranOn = (runs: readonly PartRun[], { from: begin, to: end }: Pick<PartRun, 'from' | 'to'>): boolean =>
  runs.some(({ from, to }) => from <= begin && to > end)
