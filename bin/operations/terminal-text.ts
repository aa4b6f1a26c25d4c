import { labelOf } from '../shows/outcome.ts'
import type { ShowAnswer, ShowSummary } from '../shows/show-api.ts'
import { localMinute, localTimesIn } from '../terminal/local-time.ts'
import { describeStartAndNext } from '../terminal/starts.ts'

/**
 * Formats shows as a table, with times in the zone of this machine.
 * @param starts starts of scheduled shows, by their ids
 */
export function showTable(
  shows: readonly ShowSummary[],
  starts: ReadonlyMap<string, NonNullable<ShowAnswer['start']>>,
  now: number,
): string[] {
  if (shows.length === 0) return ['No shows.']
  const rows = shows.map((show) => [show.showId, show.status, timeOf(show, starts, now), oneLine(show.name)])
  return columns([['SHOW', 'STATUS', 'TIME', 'NAME'], ...rows])
}

/** Returns the latest time that matters of a show: its next start, or when it was live, ended or accepted. */
function timeOf(
  { showId, status, acceptedAt, liveAt, endedAt }: ShowSummary,
  starts: Parameters<typeof showTable>[1],
  now: number,
): string {
  const start = starts.get(showId)
  if (status === 'scheduled' && start) return `starts ${describeStartAndNext(start, now)}`
  if (endedAt) return `ended ${localMinute(endedAt)}`
  return liveAt ? `live since ${localMinute(liveAt)}` : `accepted ${localMinute(acceptedAt)}`
}

/** Formats a show without its timeline, with times in the zone of this machine. */
export function showLines(show: ShowAnswer, now: number): string[] {
  const { showId, name, status, acceptedAt, acceptedBy, sessionId, liveAt, plannedEndAt, openEnd } = show
  const { endedAt, endReason, result } = show
  const facts: [string, string | undefined][] = [
    ['Show', showId],
    ['Name', oneLine(name)],
    ['Status', status],
    ['Reason', localTimesIn(result?.reason ?? endReason ?? '')],
    ['Accepted', localTimesIn(acceptedAt)],
    ['Posted by', acceptedBy],
    ['Starts', show.start && describeStartAndNext(show.start, now)],
    ['Session', sessionId],
    ['Live', liveAt && localTimesIn(liveAt)],
    [openEnd ? 'Latest end' : 'Planned end', plannedEndAt && localTimesIn(plannedEndAt)],
    ['Ended', endedAt && localTimesIn(endedAt)],
    ['Watch', show.watch?.url],
  ]
  const known = facts.flatMap(([what, value]) => (value ? [[what, oneLine(value)]] : []))
  const parts = (result?.recordings ?? show.recordings).map((one) => ['recording', ...partOf(one), fileOf(one)])
  const broadcasts = show.broadcasts.map((one) => ['broadcast', ...partOf(one), one.problem ?? one.hls ?? ''])
  const outputs = show.broadcasts.flatMap((one) =>
    (one.rtmp ?? []).map(({ id, status }) => ['output', oneLine(id), status, `of ${labelOf(one)}`]),
  )
  const resources = [...parts, ...broadcasts, ...outputs]
  return [...columns(known), ...(resources.length > 0 ? ['', ...columns(resources)] : [])]
}

/** Formats a timeline, one line per event, with times in the zone of this machine. */
export const timelineLines = (entries: ShowAnswer['timeline']): string[] =>
  entries.length === 0
    ? ['No events yet.']
    : columns(
        entries.map((entry) => [
          localTimesIn(entry.at),
          entry.what,
          labelOf(entry),
          localTimesIn(oneLine(detailOf(entry))),
        ]),
      )

const detailOf = ({ detail = '', by }: ShowAnswer['timeline'][number]) =>
  by === undefined ? detail : `${detail} (by ${by})`.trim()

type Part = ShowAnswer['recordings'][number] & { readonly key?: string | undefined; readonly lost?: string | undefined }

const partOf = (part: { name: string; part: number; status?: string | undefined }) => [
  labelOf(part),
  part.status ?? 'not started',
]

const fileOf = ({ lost, problem, key, archiveId }: Part) => lost ?? problem ?? key ?? archiveId ?? ''

/** Replaces control characters, so that foreign texts cannot break their line or control the terminal. */
export const oneLine = (text: string) => text.replace(/\p{Cc}+/gu, ' ')

/** Aligns the cells of rows. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
