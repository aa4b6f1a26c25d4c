import { type PartRun, partRunsOf } from './part-runs.ts'
import { hindrancesIn, type WatchEvidence } from './watch-faults.ts'

const STOP = 'platform stopBroadcast'
/** Seconds after which the platform ends a broadcast that states no maximum, and the difference of clocks. */
const DEFAULT = 14_400
const TOLERANCE = 5

/** Seconds after a request to stop in which a start that was under way may follow. */
const UNDER_WAY = 60

/**
 * Checks that only recordings and broadcasts that were ordered in parts have a second one, and that a broadcast that was asked to
 * stop begins no further part, unless a fault delayed it. A broadcast without an ordered maximum lasts longer than the platform's
 * default.
 */
export function orderedParts({ shows, statusChanges, trace, failedCalls }: WatchEvidence): string[] {
  const hindrances = hindrancesIn({ trace, failedCalls })
  return shows.flatMap(({ showId, request, state }) => {
    if (!request || !state) return []
    const { recordings = [], broadcasts = [] } = request.show
    const { broadcasts: running = [] } = state
    const added = running.flatMap(({ order }) => order ?? [])
    const further = (kind: 'archive' | 'broadcast') =>
      partRunsOf(showId, kind, statusChanges).filter(({ part }) => part > 1)
    const isStopped = ({ name, from }: PartRun) =>
      running.some((one) => {
        const asked = one.name === name ? Date.parse(one.stopAskedAt ?? '') : Number.NaN
        return from > asked + UNDER_WAY * 1000 && !hindrances.some((at) => at >= asked && at <= from)
      })
    const inOne =
      (orders: readonly { readonly name: string; readonly parts?: boolean | undefined }[]) => (run: PartRun) =>
        orders.some(({ name, parts }) => name === run.name && parts !== true)
    return [
      ...further('archive')
        .filter(inOne(recordings))
        .map(({ name, part }) => `${name} is recorded in part ${part}`),
      ...further('broadcast')
        .filter(inOne([...broadcasts, ...added]))
        .map(({ name, part }) => `${name} is broadcast in part ${part}`),
    ]
      .map((problem) => `${problem}, and was ordered in one`)
      .concat(
        partRunsOf(showId, 'broadcast', statusChanges)
          .filter(({ from, to, hasFailed }) => !hasFailed && Math.abs((to - from) / 1000 - DEFAULT) < TOLERANCE)
          .filter(({ id }) => !trace.some(({ call }) => call?.name === STOP && call.path?.includes(id)))
          .filter(({ name }) =>
            [...broadcasts, ...added].some((one) => one.name === name && one.maxDuration === undefined),
          )
          .map(({ name, part }) => `part ${part} of ${name} ended at the default of the platform`),
      )
      .concat(
        further('broadcast')
          .filter(isStopped)
          .map(({ name, part }) => `part ${part} of ${name} began after it was asked to stop`),
      )
  })
}
