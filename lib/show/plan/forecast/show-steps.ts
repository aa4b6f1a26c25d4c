import { limits } from '../../../platform/contract/limits.ts'
import { type BroadcastOrder, longestBroadcast } from '../../document/broadcast.ts'
import { maxSecondsOf, openEndOf } from '../../document/duration.ts'
import { recordedStretches } from '../../document/fields/pauses.ts'
import { publishingOf } from '../../document/publishing.ts'
import type { RecordingOrder } from '../../document/recording.ts'
import type { Show } from '../../document/show.ts'
import { instantOf, secondInstantOf } from '../../document/starts/local-times.ts'
import type { StartOrder } from '../../document/starts/start.ts'

/** A step of a show and its details. */
export type ShowStep = readonly [what: string, details: string]

/** Lists the steps of a show in order, with defaults. @param describeStart puts a recurring start into words */
export function stepsOf(show: Show, describeStart: (start: StartOrder) => string): ShowStep[] {
  const { start, session, scenes, dialIns, recordings, broadcasts, announcements, callback } = show
  const secrets = [...new Set(secretsIn(show))]
  const longest = maxSecondsOf(show)
  const announced = Object.entries(announcements).map(([when, signal]) => `${signal?.type} on ${spaced(when)}`)
  return [
    ['start', start ? inZone(start, describeStart) : 'immediately'],
    ['session', session.id ? `the existing session ${session.id}` : describeSession(session)],
    ...scenes.map(({ name, url, resolution, maxDuration, layoutClasses }) =>
      line('scene', `${name}: ${url}`, resolution, `for up to ${inTime(maxDuration)}`, inClasses(layoutClasses)),
    ),
    ...dialIns.map(({ name, uri, secure, video, layoutClasses, tones }) =>
      line(
        'dial-in',
        `${name}: ${uri}`,
        ...[secure && 'encrypted', video && 'with video', inClasses(layoutClasses)],
        tones && 'tones after it is answered',
      ),
    ),
    ['audience', `awaited for up to ${inTime(show.audienceWait)}`],
    ...recordings.flatMap((order) => [describeRecording(order, longest), ...describePauses(order)]),
    ...broadcasts.map((order) => describeBroadcast(order, longest)),
    ...show.cues.map(describeCue),
    ...announced.map((signal) => line('signal', signal)),
    ['duration', describeDuration(show)],
    ...(recordings.length > 0 ? [uploadsLine(show), ...publishLines(show), pageLine(show)] : []),
    ['events', callback ? `on the event bus and to ${callback.url}` : 'on the event bus'],
    ...(secrets.length > 0 ? [['secrets', `${secrets.join(', ')} must exist`] as const] : []),
  ]
}

const inClasses = (layoutClasses: readonly string[]) => layoutClasses.length > 0 && `as ${layoutClasses.join(' ')}`

const uploadsLine = ({ uploadWait }: Show): ShowStep => [
  'uploads',
  `awaited for up to ${inTime(uploadWait)} after the end`,
]

/** One line for the show, and one for each recording that is published otherwise. */
function publishLines(show: Show): ShowStep[] {
  const own = show.recordings.filter(({ publish }) => publish)
  const isCommon = own.length < show.recordings.length
  return [
    ...(isCommon ? [publishLine(show.publish)] : []),
    ...own.map(({ name }) => publishLine(publishingOf(show, name), `${name}:`)),
  ]
}

function pageLine({ name, page }: Show): ShowStep {
  const { title, description, cover, accentColor } = page
  return line(
    'page',
    title ?? name,
    description !== undefined && 'with a description',
    cover !== undefined && `with the cover ${cover}`,
    accentColor !== undefined && `in ${accentColor}`,
  )
}

function describeCue({ at, signal, layout, marker, recording, broadcast }: Show['cues'][number]): ShowStep {
  if (marker !== undefined) {
    const target = recording === undefined ? 'every recording' : `the recording ${recording}`
    return line('marker', `after ${inTime(at) || '0 s'}: ${marker}`, `a chapter of ${target}`)
  }
  const target = recording === undefined ? `the broadcast ${broadcast}` : `the recording ${recording}`
  return line(
    'cue',
    `after ${inTime(at) || '0 s'}: ${signal ? `signal ${signal.type}` : `${layout?.type} in ${target}`}`,
  )
}

const publishLine = ({ formats, access, keepDays }: Show['publish'], name?: string): ShowStep =>
  line(
    'publish',
    [name, formats.length > 0 ? formats.join(', ') : 'only the manifest'].filter(Boolean).join(' '),
    access === 'public' ? 'public' : 'for callers of the API',
    keepDays ? `deleted after ${keepDays} days` : 'kept permanently',
  )

const line = (what: string, ...details: (string | false | undefined)[]): ShowStep => [
  what,
  details.filter(Boolean).join(', '),
]

const inZone = (start: StartOrder, describeStart: (start: StartOrder) => string) =>
  'at' in start ? describeTime(start) : [describeStart(start), ...limitsOf(start)].join(', ')

/** Describes when a series ends, and what it leaves out. */
const limitsOf = ({ until, except = [], count }: Extract<StartOrder, { readonly cron: string }>): string[] => [
  ...(until ? [`until ${until}`] : []),
  ...(except.length > 0 ? [`except on ${except.join(', ')}`] : []),
  ...(count ? [count === 1 ? 'once' : `${count} times`] : []),
]

function describeTime({ at, zone }: { readonly at: string; readonly zone: string }): string {
  const second = secondInstantOf(at, zone)
  if (second === undefined) return `${at} in ${zone}`
  const inUtc = (instant = 0) => `${new Date(instant).toISOString().slice(0, 16)}Z`
  return `${at} in ${zone}, which occurs twice: at the first, ${inUtc(instantOf(at, zone))} (the second is ${inUtc(second)})`
}

const describeSession = ({ location, archiveMode }: Show['session']) =>
  ['a new routed session', location && `near ${location}`, archiveMode === 'always' && 'also archived by the platform']
    .filter(Boolean)
    .join(', ')

function describeRecording(order: RecordingOrder, duration: number): ShowStep {
  const { name, outputMode, hasAudio, hasVideo } = order
  return line(
    'recording',
    `${name}: ${outputMode}`,
    hasVideo ? undefined : 'audio only',
    hasAudio ? undefined : 'without audio',
    outputMode === 'composed' && hasVideo ? pictureOf(order) : undefined,
    order.streamMode === 'manual' && 'streams selected manually',
    partsOf(recordedStretches(order, duration), limits.archiveDuration.value),
  )
}

const describePauses = ({ name, pauses = [] }: RecordingOrder): ShowStep[] =>
  pauses.map(({ from, to }) => line('pause', `${name}: after ${inTime(from)}, for ${inTime(to - from)}`))

function describeBroadcast(order: BroadcastOrder, duration: number): ShowStep {
  const { name, hls, rtmp } = order
  const kind = hls && ['HLS', hls.dvr && 'with DVR', hls.lowLatency && 'with low latency'].filter(Boolean).join(' ')
  return line(
    'broadcast',
    [`${name}:`, kind ?? 'no HLS'].join(' '),
    ...rtmp.map(({ id, serverUrl }) => `RTMP ${id} to ${serverUrl}`),
    pictureOf(order),
    order.streamMode === 'manual' && 'streams selected manually',
    partsOf([duration], longestBroadcast(order)),
  )
}

const pictureOf = ({ resolution = '640x480', layout }: Pick<RecordingOrder, 'resolution' | 'layout'>) =>
  `${resolution} ${layout?.type ?? 'bestFit'}`

function describeDuration(show: Show): string {
  const longest = `${inTime(maxSecondsOf(show))} from the first recording or broadcast`
  const { emptyWait } = openEndOf(show)
  if (emptyWait === undefined) return longest
  return `open: until no participant publishes for ${inTime(emptyWait)}, at the latest ${longest}`
}

/** Parts overlap, so there may be one more than the duration requires. */
function partsOf(stretches: readonly number[], maxPart: number): string | undefined {
  const count = stretches.reduce((sum, seconds) => sum + Math.ceil(seconds / maxPart), 0)
  return count > 1 ? `at least ${count} parts of up to ${inTime(maxPart)}` : undefined
}

/** Formats seconds as `1 h 30 min` or `45 s`. */
function inTime(seconds: number): string {
  const units = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const
  return units.flatMap(([count, unit]) => (count > 0 ? `${count} ${unit}` : [])).join(' ')
}

/** Converts `recordingStarted` to `recording started`. */
const spaced = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** Collects all references to secrets, at any depth. */
function secretsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  if ('secret' in value && typeof value.secret === 'string') return [value.secret]
  return Object.values(value).flatMap(secretsIn)
}
