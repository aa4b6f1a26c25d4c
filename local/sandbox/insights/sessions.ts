import { InsightsRefusal } from '../http/insights-refusal.ts'
import type { SessionRecord } from '../state/records.ts'
import type { ConnectionSpan, StreamSpan } from '../state/spans.ts'
import { type Meeting, meetingsOf, minutesIn } from './meetings.ts'
import { insightsPageOf, type PageArguments, type Spend } from './paging.ts'
import { maxConcurrent, readActivities, type Seen, type Subscription } from './session-activity.ts'
import { countSamples, sampleOf } from './statistics.ts'
import type { View } from './view.ts'
import { type GivenRange, type Period, readPeriod } from './windows.ts'

export interface SessionArguments extends PageArguments {
  readonly sessionIds?: readonly (string | null)[] | null
}

/**
 * Returns sessions by their ids.
 * @throws {@link InsightsRefusal} 1018 without ids, 1017 for a session that is unknown or too young, 1016 for one that is
 * too old
 */
export function showSessions(view: View, window: Period, { sessionIds, ...page }: SessionArguments) {
  const ids = [...new Set((sessionIds ?? []).filter((id) => id !== null))]
  if (ids.length === 0) throw new InsightsRefusal(1018)
  const sessions = ids.map((id) => findSession(view, window, id))
  return insightsPageOf(
    sessions.length,
    (index) => showSession(view, sessions[index] as FoundSession),
    page,
    view.spend,
  )
}

/** Returns a summary of each meeting that began in the range, oldest first. */
export function showSummaries({ store, project, now, spend }: View, window: Period, args: GivenRange & PageArguments) {
  const range = readPeriod(args, window, now)
  const meetings = readActivities(store, { projectId: project.id }, window.end)
    .flatMap((activity) => meetingsOf(activity, window.end))
    .filter(({ start }) => start >= range.start && start < range.end)
    .sort((one, other) => one.start - other.start)
  return insightsPageOf(meetings.length, (index) => showSummary(meetings[index] as Meeting), args, spend)
}

interface FoundSession {
  readonly session: SessionRecord
  readonly meetings: readonly Meeting[]
}

function findSession({ store, project }: View, window: Period, id: string): FoundSession {
  const session = store.sessions.get(id)
  if (session?.projectId !== project.id || session.createdAt >= window.end) throw new InsightsRefusal(1017)
  const [activity] = readActivities(store, { projectId: project.id, sessionId: id }, window.end)
  const all = activity ? meetingsOf(activity, window.end) : []
  const meetings = all.filter(({ end = window.end }) => end >= window.start)
  if (meetings.length === 0 && session.createdAt < window.start) throw new InsightsRefusal(1016)
  return { session, meetings }
}

function showSession(view: View, { session, meetings }: FoundSession) {
  return {
    sessionId: session.id,
    createdAt: session.createdAt,
    mediaMode: session.routed ? 'routed' : 'relayed',
    ...minutesIn(meetings),
    meetings({ meetingId, ...page }: PageArguments & { readonly meetingId?: string | null }) {
      const wanted = meetingId ? meetings.filter(({ id }) => id === meetingId) : meetings
      return insightsPageOf(wanted.length, (index) => showMeeting(wanted[index] as Meeting, view), page, view.spend)
    },
  }
}

function showMeeting(meeting: Meeting, view: View) {
  const { connections, streams, subscriptions } = meeting
  return {
    ...headOf(meeting),
    ...minutesIn([meeting]),
    connections: list(connections, (connection) => showConnection(connection, meeting, view), view.spend),
    publishers: list(streams, (stream) => showPublisher(stream, meeting, view), view.spend),
    subscribers: list(subscriptions, (subscription) => showSubscriber(subscription, view), view.spend),
  }
}

function showSummary(meeting: Meeting) {
  const { connections, streams, subscriptions } = meeting
  return {
    ...headOf(meeting),
    ...minutesIn([meeting]),
    maxConcurrentStreams: maxConcurrent(streams),
    maxConcurrentSubscribers: maxConcurrent(subscriptions),
    totalStreams: streams.length,
    totalConnections: connections.length,
  }
}

const headOf = ({ id, sessionId, start, end }: Meeting) => ({
  meetingId: id,
  sessionId,
  createdAt: start,
  destroyedAt: end,
})

function showConnection(connection: Seen<ConnectionSpan>, meeting: Meeting, view: View) {
  const { subject } = connection
  const isOwn = ({ connectionId }: { readonly connectionId: string }) => connectionId === subject
  const published = meeting.streams.filter(isOwn)
  const subscribed = meeting.subscriptions.filter(isOwn)
  return {
    connectionId: subject,
    ...lifeOf(connection),
    publishers: list(published, (stream) => showPublisher(stream, meeting, view), view.spend),
    subscribers: list(subscribed, (subscription) => showSubscriber(subscription, view), view.spend),
  }
}

function showPublisher(stream: Seen<StreamSpan>, { subscriptions }: Meeting, view: View) {
  const own = subscriptions.filter((subscription) => subscription.stream.subject === stream.subject)
  return {
    connectionId: stream.connectionId,
    ...lifeOf(stream),
    stream: showStream(stream),
    streamStatsCollection: samples(stream, { ...stream, id: stream.subject }, view),
    subscribers: list(own, (subscription) => showSubscriber(subscription, view), view.spend),
  }
}

function showSubscriber(subscription: Subscription, view: View) {
  const { id, connectionId, stream } = subscription
  return {
    subscriberId: id,
    connectionId,
    ...lifeOf(subscription),
    stream: showStream(stream),
    streamStatsCollection: samples(stream, subscription, view),
  }
}

const showStream = ({ subject, videoType, tracks }: Seen<StreamSpan>) => ({
  streamId: subject,
  videoType,
  hasAudioTrack: tracks.some(({ hasAudio }) => hasAudio),
  hasVideoTrack: tracks.some(({ hasVideo }) => hasVideo),
})

const lifeOf = ({ start, end, isOver }: Period & { readonly isOver: boolean }) => ({
  createdAt: start,
  destroyedAt: isOver ? end : undefined,
})

const samples =
  (stream: Seen<StreamSpan>, taken: Period & { readonly id: string }, { store, spend }: View) =>
  (page: PageArguments) => {
    const sample = (index: number) => sampleOf(stream, taken, index, store.measurements.get(`${taken.id}/${index}`))
    return insightsPageOf(countSamples(taken), sample, page, spend)
  }

/** Creates a field that lists spans, with the greatest number of simultaneous ones. */
const list =
  <Item extends Period, Shown>(items: readonly Item[], show: (item: Item) => Shown, spend: Spend) =>
  (page: PageArguments) => ({
    ...insightsPageOf(items.length, (index) => show(items[index] as Item), page, spend),
    maxConcurrent: () => maxConcurrent(items),
  })
