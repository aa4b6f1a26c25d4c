import { limits } from '../../../lib/platform/contract/limits.ts'
import { minutesOf, type SessionActivity } from './session-activity.ts'

/** One use of a session without a pause of ten minutes. */
export interface Meeting extends Omit<SessionActivity, 'archives' | 'broadcasts' | 'callers'> {
  readonly id: string
  readonly start: number
  /** Time at which the last client left; undefined until ten minutes have passed, since clients may return. */
  readonly end: number | undefined
}

const PAUSE = limits.meetingPause.value * 1000

/** Divides a session's activity before `until` into its meetings, oldest first. */
export function meetingsOf(activity: SessionActivity, until: number): Meeting[] {
  const groups: SessionActivity['connections'][number][][] = []
  let end = Number.NEGATIVE_INFINITY
  for (const connection of activity.connections.toSorted((one, other) => one.start - other.start)) {
    if (connection.start - end >= PAUSE) groups.push([])
    groups.at(-1)?.push(connection)
    end = Math.max(end, connection.end)
  }
  return groups.map((connections) => meetingOf(activity, connections, until))
}

function meetingOf(
  { sessionId, streams, subscriptions }: SessionActivity,
  connections: SessionActivity['connections'],
  until: number,
): Meeting {
  const start = Math.min(...connections.map((connection) => connection.start))
  const end = Math.max(...connections.map((connection) => connection.end))
  const isOver = connections.every((connection) => connection.isOver) && until - end >= PAUSE
  const members = new Set(connections.map(({ subject }) => subject))
  return {
    id: `${sessionId}/${start}`,
    sessionId,
    start,
    end: isOver ? end : undefined,
    connections,
    streams: streams.filter(({ connectionId }) => members.has(connectionId)),
    subscriptions: subscriptions.filter(({ connectionId }) => members.has(connectionId)),
  }
}

export const minutesIn = (meetings: readonly Pick<SessionActivity, 'connections' | 'streams' | 'subscriptions'>[]) => ({
  publisherMinutes: minutesOf(meetings.flatMap(({ streams }) => streams)),
  subscriberMinutes: minutesOf(meetings.flatMap(({ subscriptions }) => subscriptions)),
  participantMinutes: minutesOf(meetings.flatMap(({ connections }) => connections)),
})
