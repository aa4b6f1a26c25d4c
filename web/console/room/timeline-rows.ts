import { timeOfDay } from '../../format.ts'
import type { Show } from '../answers.ts'
import { partLabel } from '../labels.ts'
import { isShowOver } from '../model.ts'

/** A span of a row, in milliseconds since the epoch. */
export interface Bar {
  readonly from: number
  readonly to: number
  /** `planned` is drawn hollow. */
  readonly tone: 'planned' | 'running' | 'good' | 'bad' | 'quiet'
}

export interface BarRow {
  readonly key: string
  readonly label: string
  readonly bars: readonly Bar[]
  /** Describes the row with its times. */
  readonly text: string
  /** Levels below the outermost rows. @default 0 */
  readonly depth?: number
}

export interface BarChart {
  readonly from: number
  readonly to: number
  readonly rows: readonly BarRow[]
}

/** A participant whose stream the page has seen, with the first and the last time. */
export interface SeenParticipant {
  readonly streamId: string
  readonly name: string
  readonly from: number
  readonly to: number
  readonly isPresent: boolean
}

/** Returns one row for each recording part, broadcast, scene, call and participant of a show, and one for its markers. */
export function timelineOf(show: Show, participants: readonly SeenParticipant[], now: number): BarChart {
  const began = millis(show.liveAt ?? show.nextStart ?? show.startedAt) ?? Date.parse(show.acceptedAt)
  const end = millis(show.plannedEndAt) ?? began + lengthOf(show) * 1000
  const course = { began, end, over: millis(show.endedAt), now: isShowOver(show) ? undefined : now }
  const rows = [
    ...recordingRows(show, course),
    ...broadcastRows(show, course),
    ...[...(show.result ?? show).scenes].map((one) =>
      rowOf('Scene', one, course, endOf(show, 'scene.ended', one.name)),
    ),
    ...[...(show.result ?? show).dialIns].map((one) =>
      rowOf('Call', { ...one, createdAt: one.askedAt }, course, endOf(show, 'dialIn.ended', one.name)),
    ),
    ...participants.map(participantRow),
    ...markerRow(show, began),
  ]
  const times = rows.flatMap(({ bars }) => bars.flatMap(({ from, to }) => [from, to]))
  return { from: Math.min(began, ...times), to: Math.max(course.over ?? end, ...times), rows }
}

/** The course of a show; `now` is undefined once it is over. */
interface Course {
  readonly began: number
  readonly end: number
  readonly over: number | undefined
  readonly now: number | undefined
}

const millis = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time))

/** Seconds that a show lasts at most; an hour while its document is unknown. */
function lengthOf({ document }: Show): number {
  if (typeof document?.duration === 'number') return document.duration
  return document?.maxDuration ?? 3_600
}

const endOf = ({ timeline }: Show, what: string, name: string) =>
  millis(timeline.find((one) => one.what === what && one.name === name)?.at)

function recordingRows({ recordings, result }: Show, course: Course): BarRow[] {
  const results = new Map((result?.recordings ?? []).map((one) => [one.tag, one]))
  return recordings.map((part) => {
    const outcome = results.get(part.tag)
    const created = millis(part.createdAt)
    const recorded = created !== undefined && outcome?.duration ? created + outcome.duration * 1000 : undefined
    const problem = part.problem ?? outcome?.lost
    const isDone = part.status !== undefined && !['started', 'paused'].includes(part.status)
    const end = millis(part.stoppedAt) ?? recorded ?? (isDone ? course.over : undefined)
    return rowOf('Recording', { ...part, problem, name: partLabel(part) }, course, end)
  })
}

function broadcastRows({ broadcasts }: Show, course: Course): BarRow[] {
  return broadcasts.map((part) => {
    const next = broadcasts.find((one) => one.name === part.name && one.part === part.part + 1)
    return rowOf('Broadcast', { ...part, name: partLabel(part) }, course, millis(next?.createdAt))
  })
}

interface Output {
  readonly name: string
  readonly createdAt?: string | undefined
  readonly status?: string | undefined
  readonly problem?: string | undefined
}

function rowOf(kind: string, { name, createdAt, status, problem }: Output, course: Course, ended?: number): BarRow {
  const { began, end, over, now } = course
  const label = `${kind} ${name}`
  const key = label
  const created = millis(createdAt)
  const isBad = problem !== undefined || status === 'failed' || status === 'unknown'
  if (created === undefined) {
    const bars: Bar[] = isBad ? [{ from: began, to: began, tone: 'bad' }] : []
    if (!isBad && now !== undefined) bars.push({ from: began, to: end, tone: 'planned' })
    const planned = now === undefined ? 'not started' : `planned, ${clock(began)} to ${clock(end)}`
    return { key, label, bars, text: `${label}: ${problem ?? planned}` }
  }
  const to = ended ?? over ?? now ?? created
  const isRunning = ended === undefined && over === undefined && now !== undefined
  const tone = isBad ? 'bad' : isRunning ? 'running' : 'good'
  const bars: Bar[] = [{ from: created, to, tone }]
  if (isRunning && end > to) bars.push({ from: to, to: end, tone: 'planned' })
  const span = isRunning ? `since ${clock(created)}, planned until ${clock(end)}` : `${clock(created)} to ${clock(to)}`
  return { key, label, bars, text: [`${label}: ${span}`, status, problem].filter(Boolean).join(', ') }
}

function participantRow({ streamId, name, from, to, isPresent }: SeenParticipant): BarRow {
  const label = `Participant ${name || 'without a name'}`
  const span = isPresent ? `seen since ${clock(from)}` : `seen ${clock(from)} to ${clock(to)}`
  return {
    key: streamId,
    label,
    bars: [{ from, to, tone: isPresent ? 'running' : 'quiet' }],
    text: `${label}: ${span}`,
  }
}

/** Returns the row of requested markers, and of planned ones once the show is live. */
function markerRow({ markers = [], document, liveAt }: Show, began: number): BarRow[] {
  const requested = markers.map(({ at, title }) => ({ at: Date.parse(at), title, isPlanned: false }))
  const planned = (document?.cues ?? []).flatMap(({ at, marker }) =>
    marker === undefined || typeof at !== 'number' || liveAt === undefined
      ? []
      : [{ at: began + at * 1000, title: marker, isPlanned: true }],
  )
  const all = [...requested, ...planned].sort((one, other) => one.at - other.at)
  if (all.length === 0) return []
  const bars = all.map(({ at, isPlanned }) => ({ from: at, to: at, tone: isPlanned ? 'planned' : 'quiet' }) as const)
  const titles = all.map(({ at, title }) => `${clock(at)} ${title}`).join(', ')
  return [{ key: 'markers', label: 'Markers', bars, text: `Markers: ${titles}` }]
}

const clock = (time: number) => timeOfDay(new Date(time).toISOString())
