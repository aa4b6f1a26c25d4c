import type { ArchiveSpan, BroadcastSpan, ClientDetails, ConnectionSpan, Span, StreamSpan } from '../state/spans.ts'
import type { Store } from '../state/store.ts'

/** A span within the view: one that continues ends, for now, where the view ends. */
export type Seen<S> = Omit<S, 'end'> & { readonly end: number; readonly isOver: boolean }

/** One client receiving one stream of another. Every client receives every stream, except that composers receive none. */
export interface Subscription {
  readonly id: string
  readonly connectionId: string
  readonly client: ClientDetails
  readonly stream: Seen<StreamSpan>
  readonly start: number
  readonly end: number
  readonly isOver: boolean
}

/** Clients, streams, subscriptions, archives and broadcasts of a session; each list is oldest first. */
export interface SessionActivity {
  readonly sessionId: string
  readonly connections: readonly Seen<ConnectionSpan>[]
  readonly streams: readonly Seen<StreamSpan>[]
  readonly subscriptions: readonly Subscription[]
  /** `chosen` are the last chosen streams of the stream mode `manual`. */
  readonly archives: readonly (Seen<ArchiveSpan> & { readonly chosen?: ReadonlySet<string> | undefined })[]
  readonly broadcasts: readonly Seen<BroadcastSpan>[]
  /** Clients that are SIP calls. */
  readonly callers: ReadonlySet<string>
}

/** Reads the activity before `until` of all sessions of a project, or of one session. */
export function readActivities(
  store: Store,
  match: { readonly projectId: string; readonly sessionId?: string },
  until: number,
): SessionActivity[] {
  const idsOf = (records: readonly { readonly connectionId?: string | undefined }[]) =>
    new Set(records.flatMap(({ connectionId }) => connectionId ?? []))
  const callers = idsOf(store.calls.find(match))
  const composers = idsOf(store.composers.find(match))
  const bySession = Map.groupBy(store.spans.find(match), ({ sessionId }) => sessionId)
  return [...bySession].map(([sessionId, spans]) => {
    const connections = seen(spans, 'connection', until)
    const streams = seen(spans, 'stream', until)
    const viewers = connections.filter(({ subject }) => !composers.has(subject))
    return {
      sessionId,
      connections,
      streams,
      subscriptions: streams.flatMap((stream) => viewers.flatMap((viewer) => subscribe(viewer, stream) ?? [])),
      archives: seen(spans, 'archive', until).map((archive) => {
        const choices = store.archives.get(archive.subject)?.streams
        return { ...archive, chosen: choices && new Set(choices.map(({ streamId }) => streamId)) }
      }),
      broadcasts: seen(spans, 'broadcast', until),
      callers,
    }
  })
}

function seen<Kind extends Span['kind']>(spans: readonly Span[], kind: Kind, until: number) {
  return spans
    .filter((span): span is Extract<Span, { kind: Kind }> => span.kind === kind && span.start < until)
    .map((span) => {
      const { end = Number.POSITIVE_INFINITY } = span
      return { ...span, end: Math.min(end, until), isOver: end <= until }
    })
}

function subscribe(viewer: Seen<ConnectionSpan>, stream: Seen<StreamSpan>): Subscription | undefined {
  const start = Math.max(viewer.start, stream.start)
  const end = Math.min(viewer.end, stream.end)
  if (viewer.subject === stream.connectionId || start >= end) return undefined
  const { subject: connectionId, client } = viewer
  const isOver = (viewer.isOver && viewer.end === end) || (stream.isOver && stream.end === end)
  return { id: `${connectionId}/${stream.subject}`, connectionId, client, stream, start, end, isOver }
}

/** Returns the greatest number of simultaneous spans. A span that begins as another ends does not overlap it. */
export function maxConcurrent(spans: readonly { readonly start: number; readonly end: number }[]): number {
  const steps = spans.flatMap(({ start, end }) => [
    { at: start, change: 1 },
    { at: end, change: -1 },
  ])
  steps.sort((one, other) => one.at - other.at || one.change - other.change)
  let now = 0
  return steps.reduce((max, { change }) => {
    now += change
    return Math.max(max, now)
  }, 0)
}

/** Returns the sum of spans in minutes, added up in milliseconds to avoid rounding errors. */
export const minutesOf = (spans: readonly { readonly start: number; readonly end: number }[]): number =>
  spans.reduce((sum, { start, end }) => sum + end - start, 0) / 60_000
