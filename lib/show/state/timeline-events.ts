import type { TimelineEntry } from './timeline.ts'

/** What has happened, before it is noted when. */
export type TimelineEvent = Omit<TimelineEntry, 'at'>

/** Adds what has happened to a timeline; what stands there already (a task was repeated) is left as it was. */
export function withTimeline(
  timeline: readonly TimelineEntry[],
  at: number,
  ...happened: readonly TimelineEvent[]
): TimelineEntry[] {
  const known = new Set(timeline.map(identityOf))
  const fresh = happened.filter((one) => !known.has(identityOf(one)) && known.add(identityOf(one)))
  return [...timeline, ...fresh.map((entry) => ({ at: new Date(at).toISOString(), ...entry }))]
}

/** What a happening is told apart by, however often it is noticed. */
export const identityOf = ({ what, name = '', part, id = '' }: TimelineEvent) => [what, name, part ?? '', id].join('/')
