import { labelOf } from '../shows/outcome.ts'
import type { ShowAnswer, ShowSummary } from '../shows/show-api.ts'

/** Formats shows as a table. */
export function showTable(shows: readonly ShowSummary[]): string[] {
  if (shows.length === 0) return ['No shows.']
  const rows = shows.map(({ showId, status, acceptedAt, name }) => [showId, status, shorten(acceptedAt), oneLine(name)])
  return columns([['SHOW', 'STATUS', 'ACCEPTED', 'NAME'], ...rows])
}

/** Formats a show without its timeline. */
export function showLines(show: ShowAnswer): string[] {
  const { showId, name, status, acceptedAt, acceptedBy, sessionId, liveAt, plannedEndAt, endedAt, endReason, result } =
    show
  const facts: [string, string | undefined][] = [
    ['Show', showId],
    ['Name', oneLine(name)],
    ['Status', status],
    ['Reason', result?.reason ?? endReason],
    ['Accepted', acceptedAt],
    ['Posted by', acceptedBy],
    ['Starts', startOf(show)],
    ['Session', sessionId],
    ['Live', liveAt],
    ['Planned end', plannedEndAt],
    ['Ended', endedAt],
  ]
  const known = facts.flatMap(([what, value]) => (value ? [[what, oneLine(value)]] : []))
  const parts = (result?.recordings ?? show.recordings).map((one) => ['recording', ...partOf(one), fileOf(one)])
  const broadcasts = show.broadcasts.map((one) => ['broadcast', ...partOf(one), one.problem ?? one.hls ?? ''])
  const resources = [...parts, ...broadcasts]
  return [...columns(known), ...(resources.length > 0 ? ['', ...columns(resources)] : [])]
}

/** Formats a timeline, one line per event. */
export const timelineLines = (entries: ShowAnswer['timeline']): string[] =>
  entries.length === 0
    ? ['No events yet.']
    : columns(entries.map((entry) => [entry.at, entry.what, labelOf(entry), oneLine(detailOf(entry))]))

const detailOf = ({ detail = '', by }: ShowAnswer['timeline'][number]) =>
  by === undefined ? detail : `${detail} (by ${by})`.trim()

type Part = ShowAnswer['recordings'][number] & { readonly key?: string; readonly lost?: string }

const partOf = (part: { name: string; part: number; status?: string | undefined }) => [
  labelOf(part),
  part.status ?? 'not started',
]

const fileOf = ({ lost, problem, key, archiveId }: Part) => lost ?? problem ?? key ?? archiveId ?? ''

function startOf({ start }: ShowAnswer): string | undefined {
  return start && `${'at' in start ? start.at : start.cron} (${start.zone})`
}

/** Replaces control characters, so that foreign texts cannot break their line or control the terminal. */
export const oneLine = (text: string) => text.replace(/\p{Cc}+/gu, ' ')

const shorten = (time: string) => time.replace(/\.\d+Z$/, 'Z')

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
