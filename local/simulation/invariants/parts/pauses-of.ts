import type { Evidence, ShowEvidence } from '../evidence.ts'

/** A time in which a recording is paused, in milliseconds since the epoch. */
export interface Paused {
  readonly from: number
  /** Infinity if nothing resumes it. */
  readonly to: number
}

type Order = Pick<NonNullable<Evidence['shows'][number]['request']>['show']['recordings'][number], 'name' | 'pauses'>

/**
 * Returns the times in which a recording is paused by the documentation and not by the code: as its document plans, and
 * from each request to pause. The next request to resume ends a pause.
 */
export function pausesOf({ name, pauses = [] }: Order, state: ShowEvidence['state']): Paused[] {
  const began = Date.parse(state?.liveAt ?? '')
  if (Number.isNaN(began)) return []
  const requests = (state?.pauses ?? []).filter(({ recording }) => recording === name)
  const moments = requests.map(({ action, at }) => ({ action, at: Date.parse(at) }))
  const requested = moments
    .filter(({ action }) => action === 'pause')
    .map(({ at }) => ({ from: at, to: Number.POSITIVE_INFINITY }))
  const planned = pauses.map(({ from, to }) => ({ from: began + from * 1000, to: began + to * 1000 }))
  const all = [...planned, ...requested].map(({ from, to }) => {
    const resumed = moments.find(({ action, at }) => action === 'resume' && at >= from && at < to)
    return { from, to: resumed?.at ?? to }
  })
  const apart: Paused[] = []
  for (const one of all.sort((first, second) => first.from - second.from)) {
    const before = apart.at(-1)
    if (!before || one.from > before.to) apart.push(one)
    else apart.splice(-1, 1, { from: before.from, to: Math.max(before.to, one.to) })
  }
  return apart
}
