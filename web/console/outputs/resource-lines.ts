import { bitrateLabel, frameRateLabel, timeOfDay } from '../../format.ts'
import type { KnownRecording, Participant, Show, TimelineEvent } from '../answers.ts'
import { partLabel } from '../labels.ts'
import { isShowOver } from '../model.ts'
import { type PauseState, pauseStateOf } from './pause-state.ts'
import type { OutputMeasures, PlayedPart } from './playlist-bitrate.ts'

/** The state of a scene, dial-in, recording or broadcast of a show, and its problem. */
export interface ResourceLine {
  readonly key: string
  readonly kind: string
  readonly name: string
  readonly state: string
  /** When it began and ended, its reconnects and its bitrate, as far as they are known. */
  readonly facts?: string | undefined
  readonly problem: string | undefined
  /** The pause of a recording. Only its newest part has it. */
  readonly pause?: PauseState | undefined
  /** Name of a broadcast that can be stopped. */
  readonly stoppable?: string | undefined
}

type RecordingPart = Show['recordings'][number]
type BroadcastPart = Show['broadcasts'][number]

interface LineOptions {
  /** Measures of running broadcasts by their tags. @default nothing is measured */
  readonly measured?: ReadonlyMap<string, OutputMeasures>
  /** The part that Program plays. @default none */
  readonly played?: PlayedPart | undefined
  /** @default the zone of the browser */
  readonly timeZone?: string
}

/** Returns one line for each scene, dial-in, recording and broadcast of a show. */
export function resourceLines(
  show: Show,
  recordings: readonly KnownRecording[],
  { measured, played, timeZone }: LineOptions = {},
): ResourceLine[] {
  const latest = show.result ?? show
  const measuresOf = (tag: string): OutputMeasures => ({
    ...measured?.get(tag),
    ...(played?.tag === tag && { framesPerSecond: played.framesPerSecond }),
  })
  return [
    ...latest.scenes.map((one) => participantLine('Scene', one, show)),
    ...latest.dialIns.map((one) => participantLine('Dial-in', one, show)),
    ...show.recordings.map((part) =>
      recordingLine(part, show, { recordings, timeZone, measures: measuresOf(part.tag) }),
    ),
    ...latest.broadcasts.flatMap((part) => [
      broadcastLine(part, show, measuresOf(part.tag), timeZone),
      ...('rtmp' in part ? (part.rtmp ?? []) : []).map((output) => rtmpLine(output, part, show, timeZone)),
    ]),
  ]
}

const absent = (show: Show) => (isShowOver(show) ? 'not started' : 'pending')

const participantLine = (kind: string, one: Participant, show: Show): ResourceLine => ({
  key: `${kind} ${one.name}`,
  kind,
  name: one.name,
  state: one.status ?? absent(show),
  problem: one.problem ?? (one.status === 'failed' ? one.reason : undefined),
})

const PUBLISHED = {
  ready: 'published, more files are being produced',
  complete: 'published',
  failed: 'not published',
} as const

interface RecordingSources {
  readonly recordings: readonly KnownRecording[]
  readonly measures: OutputMeasures
  readonly timeZone: string | undefined
}

function recordingLine(
  part: RecordingPart,
  show: Show,
  { recordings, timeZone, measures }: RecordingSources,
): ResourceLine {
  const { archiveId, status, problem, tag } = part
  const result = show.result?.recordings.find((one) => one.tag === tag)
  const published = recordings.find((one) => one.archiveId !== undefined && one.archiveId === archiveId)
  // The reason of a cancelled show says why nothing was recorded, so nothing is lost.
  const lost = show.status === 'cancelled' ? undefined : result?.lost
  const pause = pauseStateOf(part, show)
  const state = published ? PUBLISHED[published.status] : result?.key ? 'arrived' : (result?.status ?? status)
  const created = millis(part.createdAt)
  const stopped = millis(part.stoppedAt) ?? (created && result?.duration && created + result.duration * 1000)
  const isOver = stopped !== undefined || published !== undefined || isShowOver(show)
  return {
    key: `recording ${tag}`,
    kind: 'Recording',
    name: partLabel(part),
    state: pause?.state ?? state ?? absent(show),
    facts: joined(
      pause?.since ? `since ${timeOfDay(pause.since, timeZone)}` : spanOf(created, stopped, isOver, timeZone),
      partCount(part, show.recordings),
      published ? averageBitrate(published) : !isOver && rateOf(measures),
    ),
    problem: problem ?? lost ?? published?.message,
    pause,
  }
}

function broadcastLine(part: BroadcastPart, show: Show, measures: OutputMeasures, timeZone?: string): ResourceLine {
  const { tag, status, problem, stopAskedAt } = part
  const isOver = isShowOver(show) || status === 'stopped'
  const next = show.broadcasts.find((one) => one.name === part.name && one.part === part.part + 1)
  const ended = millis(next?.createdAt) ?? (isOver ? millis(stopAskedAt ?? show.endedAt) : undefined)
  return {
    key: `broadcast ${tag}`,
    kind: 'Broadcast',
    name: partLabel(part),
    state: stopAskedAt !== undefined && !isOver ? 'stopping' : (status ?? absent(show)),
    facts: joined(
      spanOf(millis(part.createdAt), ended, isOver, timeZone),
      partCount(part, show.broadcasts),
      !isOver && rateOf(measures),
      !isOver && measures.kilobits && bitrateLabel(measures.kilobits),
    ),
    problem,
    stoppable: isOver || stopAskedAt !== undefined || !part.broadcastId ? undefined : part.name,
  }
}

const RTMP_EVENTS = ['output.live', 'output.reconnecting', 'output.recovered', 'output.failed']

function rtmpLine(
  { id, status }: NonNullable<BroadcastPart['rtmp']>[number],
  broadcast: BroadcastPart,
  { timeline }: Pick<Show, 'timeline'>,
  timeZone?: string,
): ResourceLine {
  const isOf = (event: TimelineEvent) =>
    RTMP_EVENTS.includes(event.what) &&
    event.name === broadcast.name &&
    (event.part ?? 1) === broadcast.part &&
    event.id === id
  const events = timeline.filter(isOf)
  const last = events.at(-1)
  const reconnects = events.filter(({ what }) => what === 'output.reconnecting').length
  return {
    key: `output ${broadcast.tag} ${id}`,
    kind: 'RTMP',
    name: `${partLabel(broadcast)} to ${id}`,
    state: status,
    facts: joined(
      last && `since ${timeOfDay(last.at, timeZone)}`,
      reconnects > 0 && (reconnects === 1 ? '1 reconnect' : `${reconnects} reconnects`),
    ),
    problem: status === 'error' || status === 'offline' ? 'The server does not receive the broadcast.' : undefined,
  }
}

const rateOf = ({ framesPerSecond }: OutputMeasures) => framesPerSecond && frameRateLabel(framesPerSecond)

const millis = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time))

const joined = (...facts: (string | number | false | undefined)[]) => facts.filter(Boolean).join(' · ') || undefined

function spanOf(from: number | undefined, to: number | undefined, isOver: boolean, timeZone?: string) {
  if (from === undefined) return undefined
  const clock = (time: number) => timeOfDay(new Date(time).toISOString(), timeZone)
  if (to !== undefined) return `${clock(from)} to ${clock(to)}`
  return isOver ? `from ${clock(from)}` : `since ${clock(from)}`
}

/** Counts the parts of an output on the line of its newest one. */
function partCount({ name, part }: RecordingPart | BroadcastPart, all: readonly (RecordingPart | BroadcastPart)[]) {
  const parts = all.filter((one) => one.name === name)
  return parts.length > 1 && parts.at(-1)?.part === part && `${parts.length} parts`
}

function averageBitrate({ source, duration }: Pick<KnownRecording, 'source' | 'duration'>): string | undefined {
  if (!duration) return undefined
  return bitrateLabel((source.size * 8) / duration / 1000)
}
