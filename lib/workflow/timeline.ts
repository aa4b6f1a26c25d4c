import type { TimelineEntry } from './documents.ts'

/** Adds what has happened to a timeline; what stands there already (a task was repeated) is left as it was. */
export function noted(
  timeline: readonly TimelineEntry[],
  at: number,
  ...happened: readonly Omit<TimelineEntry, 'at'>[]
): TimelineEntry[] {
  const fresh = happened.filter(({ what, name }) => !timeline.some((one) => one.what === what && one.name === name))
  return [...timeline, ...fresh.map((entry) => ({ at: new Date(at).toISOString(), ...entry }))]
}
