import { limits } from '../../lib/platform/contract/limits.ts'
import { type BroadcastOrder, longestBroadcast } from '../../lib/show/document/broadcast.ts'
import type { RecordingOrder } from '../../lib/show/document/recording.ts'
import type { Show } from '../../lib/show/document/show.ts'

/** One line of a plan: what is done, and with what. */
export type PlanLine = readonly [what: string, details: string]

/** What a show would do, defaults included, in the order in which it would do it. */
export function planOf(show: Show): PlanLine[] {
  const { start, session, scenes, dialIns, recordings, broadcasts, announcements, publish, callback } = show
  const secrets = [...new Set(secretsIn(show))]
  const announced = Object.entries(announcements).map(([when, signal]) => `${signal?.type} when ${inWords(when)}`)
  return [
    ['start', start ? inZone(start) : 'at once'],
    ['session', session.id ? `the existing ${session.id}` : describeSession(session)],
    ...scenes.map(({ name, url, resolution, maxDuration, layoutClasses }) =>
      line('scene', `${name}: ${url}`, resolution, `for up to ${inTime(maxDuration)}`, inClasses(layoutClasses)),
    ),
    ...dialIns.map(({ name, uri, secure, video, layoutClasses, tones }) =>
      line(
        'dial-in',
        `${name}: ${uri}`,
        ...[secure && 'encrypted', video && 'with video', inClasses(layoutClasses)],
        tones && 'tones once it has answered',
      ),
    ),
    ['audience', `awaited for up to ${inTime(show.audienceWait)}`],
    ...recordings.map((order) => describeRecording(order, show.duration)),
    ...broadcasts.map((order) => describeBroadcast(order, show.duration)),
    ...announced.map((words) => line('signal', words)),
    ['duration', `${inTime(show.duration)} from the first recording or broadcast`],
    ...(recordings.length > 0 ? [uploadsLine(show), publishLine(publish)] : []),
    ['events', callback ? `on the event bus and to ${callback.url}` : 'on the event bus'],
    ...(secrets.length > 0 ? [['secrets', `${secrets.join(', ')} must be there`] as const] : []),
  ]
}

const inClasses = (layoutClasses: readonly string[]) => layoutClasses.length > 0 && `as ${layoutClasses.join(' ')}`

const uploadsLine = ({ uploadWait }: Show): PlanLine => [
  'uploads',
  `awaited for up to ${inTime(uploadWait)} after the end`,
]

const publishLine = ({ formats, access, keepDays }: Show['publish']): PlanLine =>
  line(
    'publish',
    formats.length > 0 ? formats.join(', ') : 'nothing but the manifest',
    access === 'public' ? 'for everybody' : 'for callers of the API',
    keepDays ? `deleted after ${keepDays} days` : 'kept for ever',
  )

const line = (what: string, ...details: (string | false | undefined)[]): PlanLine => [
  what,
  details.filter(Boolean).join(', '),
]

const inZone = (start: NonNullable<Show['start']>) =>
  'at' in start ? `${start.at} in ${start.zone}` : `whenever ${start.cron} comes in ${start.zone}`

const describeSession = ({ location, archiveMode }: Show['session']) =>
  ['a new routed one', location && `near ${location}`, archiveMode === 'always' && 'archived by the platform as well']
    .filter(Boolean)
    .join(', ')

function describeRecording(order: RecordingOrder, duration: number): PlanLine {
  const { name, outputMode, hasAudio, hasVideo } = order
  return line(
    'recording',
    `${name}: ${outputMode}`,
    hasVideo ? undefined : 'audio only',
    hasAudio ? undefined : 'without audio',
    outputMode === 'composed' && hasVideo ? pictureOf(order) : undefined,
    order.streamMode === 'manual' && 'streams chosen by hand',
    partsOf(duration, limits.archiveDuration.value),
  )
}

function describeBroadcast(order: BroadcastOrder, duration: number): PlanLine {
  const { name, hls, rtmp } = order
  const kind = hls && ['HLS', hls.dvr && 'with DVR', hls.lowLatency && 'with low latency'].filter(Boolean).join(' ')
  return line(
    'broadcast',
    [`${name}:`, kind ?? 'no HLS'].join(' '),
    ...rtmp.map(({ id, serverUrl }) => `RTMP ${id} to ${serverUrl}`),
    pictureOf(order),
    order.streamMode === 'manual' && 'streams chosen by hand',
    partsOf(duration, longestBroadcast(order)),
  )
}

const pictureOf = ({ resolution = '640x480', layout }: Pick<RecordingOrder, 'resolution' | 'layout'>) =>
  `${resolution} ${layout?.type ?? 'bestFit'}`

/** They overlap, so there may be one more than their lengths make up. */
const partsOf = (duration: number, longest: number) =>
  duration > longest ? `at least ${Math.ceil(duration / longest)} parts of up to ${inTime(longest)}` : undefined

/** Seconds as `1 h 30 min`, `45 s`. */
function inTime(seconds: number): string {
  const units = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const
  return units.flatMap(([count, unit]) => (count > 0 ? `${count} ${unit}` : [])).join(' ')
}

/** `recordingStarted` as `recording started`. */
const inWords = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** Every reference to a secret, however deep. */
function secretsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  if ('secret' in value && typeof value.secret === 'string') return [value.secret]
  return Object.values(value).flatMap(secretsIn)
}
