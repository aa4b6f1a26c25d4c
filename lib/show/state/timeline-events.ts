import type { TimelineEntry } from './timeline.ts'

/** An event. Its time is that of the write by default. */
export type TimelineEvent = Omit<TimelineEntry, 'at'> & Partial<Pick<TimelineEntry, 'at'>>

/** Adds events to a timeline, except those that it holds already because a task was repeated. */
export function withTimeline(
  timeline: readonly TimelineEntry[],
  at: number,
  ...events: readonly TimelineEvent[]
): TimelineEntry[] {
  const known = new Set(timeline.map(identityOf))
  const fresh = events.filter((one) => !known.has(identityOf(one)) && known.add(identityOf(one)))
  return [...timeline, ...fresh.map((entry) => ({ at: new Date(at).toISOString(), ...entry }))]
}

/** Returns the identity of an event, which is the same each time that it is noticed. */
export const identityOf = ({ what, name = '', part, id = '', occurrence }: TimelineEvent) =>
  [what, name, part ?? '', id, ...(occurrence === undefined ? [] : [occurrence])].join('/')
