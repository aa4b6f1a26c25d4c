import type { KnownShow, Show, ShowLine } from './answers.ts'
import { PAGE } from './api.ts'
import { isShowOver } from './model.ts'
import { type Page, readFiltered } from './pages.ts'

/** Milliseconds after which a scheduled show is read again: it may have been edited. */
const SCHEDULED_AGE_MS = 60_000

/** Returns the shows whose details must be read: those that run, and scheduled ones now and then. @param now in ms since the epoch */
export const showsToRead = (
  lines: readonly ShowLine[],
  known: ReadonlyMap<string, KnownShow>,
  now: number,
): readonly ShowLine[] =>
  lines.filter(({ showId, status }) => {
    const show = known.get(showId)
    if (!show || show.status !== status) return !show?.result
    if (status !== 'scheduled') return !show.result
    const isDue = show.nextStart !== undefined && Date.parse(show.nextStart) <= now
    return isDue || now - show.readAt >= SCHEDULED_AGE_MS
  })

export const isRunning = (show: Pick<ShowLine, 'status'>): boolean => show.status !== 'scheduled' && !isShowOver(show)

const runningStatuses = ['starting', 'waiting', 'live', 'ending'] as const satisfies readonly Show['status'][]

/** Reads up to a page of the newest shows of each status in which a show runs. @param list lists shows of the API */
export async function readRunningShows(
  list: (cursor: string | undefined, query: { readonly status: string }) => Promise<Page<ShowLine>>,
): Promise<readonly ShowLine[]> {
  const read = (status: string) => readFiltered((cursor) => list(cursor, { status }), undefined, PAGE)
  return (await Promise.all(runningStatuses.map(read))).flatMap(({ items }) => items)
}

/** Returns the sentence for a filter that no listed show matches. @param hasMore whether older shows can be searched */
export const noMatchText = (hasMore: boolean): string =>
  hasMore ? 'None among the newest shows. “Older shows” searches further.' : 'No show matches.'

/** Shows by what a user does with them: control, prepare, look up. */
export interface ShowSections<Line> {
  readonly now: readonly Line[]
  /** Scheduled, the next start first. */
  readonly next: readonly Line[]
  /** In the order of the list: newest first. */
  readonly past: readonly Line[]
}

/** Divides shows. */
export function sectionsOf<Line extends Pick<Show, 'status' | 'nextStart'>>(
  shows: readonly Line[],
): ShowSections<Line> {
  const startOf = ({ nextStart }: Line) => (nextStart === undefined ? Number.POSITIVE_INFINITY : Date.parse(nextStart))
  return {
    now: shows.filter(isRunning),
    next: shows
      .filter(({ status }) => status === 'scheduled')
      .toSorted((one, other) => (startOf(one) < startOf(other) ? -1 : startOf(one) > startOf(other) ? 1 : 0)),
    past: shows.filter(isShowOver),
  }
}

/** The fields of the filter, as the form has them. */
export interface ShowFilter {
  readonly status: string
  readonly label: string
  /** Local date of the first day on which a show was accepted. */
  readonly from: string
  /** Local date of the last day. */
  readonly to: string
}

/** Returns the query of a filter; empty if nothing is filtered. */
export function filterQuery({ status, label, from, to }: ShowFilter): Readonly<Record<string, string>> {
  const instant = (date: string, time: string) => new Date(`${date}T${time}`).toISOString()
  return {
    ...(status && { status }),
    ...(label && { label }),
    ...(from && { from: instant(from, '00:00:00.000') }),
    ...(to && { to: instant(to, '23:59:59.999') }),
  }
}
