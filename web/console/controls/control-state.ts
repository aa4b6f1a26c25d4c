import type { AnswerOf } from '../../../lib/api/answers.ts'
import type { Layout } from '../../../lib/platform/layouts/layouts.ts'
import { moment, timeOfDay } from '../../format.ts'
import type { ListedStream, Show, TimelineEvent } from '../answers.ts'
import { isShowOver } from '../model.ts'

type Status = Show['status']

/** Statuses of a show in which the API carries out a control, or issues an invitation. */
export const allowedDuring = {
  stop: ['starting', 'waiting', 'live'],
  change: ['live'],
  signal: ['waiting', 'live'],
  mute: ['waiting', 'live'],
  broadcast: ['live'],
  dialIn: ['waiting', 'live'],
  invite: ['scheduled', 'starting', 'waiting', 'live'],
} as const satisfies Readonly<Record<string, readonly Status[]>>

export type ControlName = keyof typeof allowedDuring

/** Returns why a control is not possible now, or undefined if it is. */
export function reasonAgainst(control: ControlName, show: Pick<Show, 'status' | 'stopAskedAt'>): string | undefined {
  const { status, stopAskedAt } = show
  if (isShowOver(show)) return 'The show is over.'
  if (status === 'ending' || stopAskedAt !== undefined) return 'The show is ending.'
  const allowed: readonly Status[] = allowedDuring[control]
  if (allowed.includes(status)) return undefined
  if (status === 'scheduled') return 'The show has not started.'
  return allowed.includes('waiting') ? 'Possible once the session is open.' : 'Possible once the show is live.'
}

/** A recording or broadcast of a live show that composes a picture. */
export interface Output {
  readonly kind: 'recording' | 'broadcast'
  readonly name: string
  /** Its layout, as far as the show knows of changes. */
  readonly layout: Layout
  /** Width and height of its picture in pixels. */
  readonly size: readonly [number, number]
  /** True if its streams are selected while the show runs. */
  readonly isManual: boolean
}

/** Size of a picture for which the document orders none. */
const RESOLUTION = '1280x720'

/** Returns the outputs of a show that run and compose a picture, recordings first. */
export function outputsOf({
  document,
  recordings,
  broadcasts,
}: Pick<Show, 'document' | 'recordings' | 'broadcasts'>): Output[] {
  const composed = document?.recordings.filter(
    ({ outputMode, hasVideo }) => outputMode !== 'individual' && hasVideo !== false,
  )
  return [
    ...outputs('recording', recordings, composed ?? [], true),
    ...outputs('broadcast', broadcasts, document?.broadcasts ?? [], false),
  ]
}

interface Part extends Pick<Show['recordings'][number], 'name' | 'layout' | 'problem'> {
  readonly status?: string | undefined
}

interface Order extends Pick<Part, 'name' | 'layout'> {
  readonly streamMode?: string | undefined
  readonly resolution?: string | undefined
}

/** @param isOrdered true if each has an order in the document: broadcasts may have been added later */
function outputs(kind: Output['kind'], parts: readonly Part[], orders: readonly Order[], isOrdered: boolean): Output[] {
  const runs = ({ problem, status }: Part) => !problem && (status === 'started' || status === 'live')
  const names = new Set(parts.filter(runs).map(({ name }) => name))
  return [...names].flatMap((name) => {
    const order = orders.find((one) => one.name === name)
    if (isOrdered && !order) return []
    const changed = parts.findLast((one) => one.name === name && one.layout)?.layout
    const layout = changed ?? order?.layout ?? { type: 'bestFit' }
    const [width = 0, height = 0] = (order?.resolution ?? RESOLUTION).split('x').map(Number)
    return [{ kind, name, layout, size: [width, height], isManual: order?.streamMode === 'manual' }]
  })
}

/** Identifies an output in a choice. */
export const outputKey = ({ kind, name }: Pick<Output, 'kind' | 'name'>): string => `${kind} ${name}`

/** Returns the outputs of a choice: one by its key, or all of them for the empty key. */
export const chosenOutputs = (outputs: readonly Output[], key: string): readonly Output[] =>
  key === '' ? outputs : outputs.filter((one) => outputKey(one) === key)

/** Returns the layout that all outputs have, or undefined if they differ. */
export function commonLayout(outputs: readonly Output[]): Layout | undefined {
  const [first, ...others] = outputs
  return others.every(({ layout }) => isSameLayout(layout, first?.layout)) ? first?.layout : undefined
}

/** Returns true for layouts with the same fields. */
export const isSameLayout = (one: Layout | undefined, other: Layout | undefined): boolean =>
  (['type', 'stylesheet', 'screenshareType'] as const).every((field) => one?.[field] === other?.[field])

/** Names an output, such as `Recording program`. */
export const outputLabel = ({ kind, name }: Pick<Output, 'kind' | 'name'>): string =>
  `${kind === 'recording' ? 'Recording' : 'Broadcast'} ${name}`

/**
 * Returns the streams that an output includes. A manual output includes those that were added since the show is live, as its
 * timeline has them.
 */
export function includedIn<Stream extends Pick<ListedStream, 'streamId'>>(
  { name, isManual }: Pick<Output, 'name' | 'isManual'>,
  streams: readonly Stream[],
  timeline: readonly TimelineEvent[],
): readonly Stream[] {
  if (!isManual) return streams
  const sentences = timeline
    .filter((one) => one.what === 'control.streams' && one.name === name)
    .flatMap(({ detail = '' }) => detail.split('. '))
  return streams.filter(({ streamId }) =>
    sentences.findLast((sentence) => sentence.includes(streamId))?.includes(' was added '),
  )
}

/** Names an output by the field of a change: `{ recording: 'program' }`. */
export const targetOf = ({ kind, name }: Output) => (kind === 'recording' ? { recording: name } : { broadcast: name })

/** Returns the end of a live show that is so many minutes later (ISO 8601), or undefined before it is live. */
export function movedEnd({ plannedEndAt }: Pick<Show, 'plannedEndAt'>, minutes: number): string | undefined {
  return plannedEndAt && new Date(Date.parse(plannedEndAt) + minutes * 60_000).toISOString()
}

type ControlAnswer = Pick<AnswerOf<'control'>, 'timeline'>

/** Reports a control: when it took effect, or that it will, as the API answers it. @param done such as `Ada was muted` */
export function describeControl({ timeline }: ControlAnswer, done: string, timeZone?: string): string {
  const last = timeline.at(-1)
  if (last === undefined) return 'Accepted. It takes effect with the next polls of the show, within a minute.'
  return `${done} at ${timeOfDay(last.at, timeZone)}.`
}

/** A stream with what the console reports of it. */
export interface StreamLine {
  readonly streamId: string
  readonly name: string
  /** Such as `camera`, or `scene intro`. */
  readonly kind: string
  /** When it was last muted; the platform does not report whether its participant has unmuted it. */
  readonly mutedAt: string | undefined
}

const KINDS: Readonly<Record<string, string>> = { camera: 'camera', screen: 'screen', custom: 'video' }

/** Returns one line for each stream, in the order of publishing. */
export const streamLines = (streams: readonly ListedStream[], timeline: readonly TimelineEvent[]): StreamLine[] =>
  streams.map(({ streamId, name, videoType, scene, dialIn }) => ({
    streamId,
    name: name || scene || dialIn || 'Without a name',
    kind: scene ? `scene ${scene}` : dialIn ? `dial-in ${dialIn}` : (KINDS[videoType] ?? videoType),
    mutedAt: timeline.findLast(({ what, detail }) => what === 'control.mute' && detail?.includes(streamId))?.at,
  }))

/** Returns the timeline with the names of the streams that are still published, in place of their ids. */
export const withStreamNames = (
  timeline: readonly TimelineEvent[],
  streams: readonly ListedStream[],
): TimelineEvent[] =>
  timeline.map((entry) => {
    const named = streams.find(({ streamId, name }) => name && entry.detail?.includes(streamId))
    return named && entry.detail ? { ...entry, detail: entry.detail.replaceAll(named.streamId, named.name) } : entry
  })

/** Names the number of streams. */
export const streamCount = (count: number): string =>
  count === 0 ? 'Nothing is published.' : `${count} ${count === 1 ? 'stream is' : 'streams are'} published.`

/** The fields of the form for a broadcast. */
export interface BroadcastForm {
  readonly name: string
  readonly kind: string
  readonly serverUrl: string
  /** A reference to the stream key: name of a secret, and a key of its JSON. */
  readonly secret: string
}

/** Returns the order of a broadcast. The API checks its fields. */
export function broadcastOrderOf({ name, kind, serverUrl, secret }: BroadcastForm) {
  const picture = { name, resolution: '1280x720' as const }
  if (kind !== 'rtmp') return { ...picture, hls: kind === 'lowLatency' ? { lowLatency: true } : {} }
  return { ...picture, rtmp: [{ id: 'server', serverUrl, streamName: { secret } }] }
}

/** Returns the first free name: `live`, `live-2`. */
export function freeName(names: readonly string[], first = 'live'): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? first : `${first}-${number}`
    if (!names.includes(name)) return name
  }
}

/** Describes until when an invitation admits. */
export const invitationUntil = (expiresAt: string, now: number, timeZone?: string): string =>
  `The invitation expires on ${moment(expiresAt, now, timeZone)}.`.replace('on today', 'today')
