import { limits } from '../../../../lib/platform/contract/limits.ts'
import { partRunsOf } from '../parts/part-runs.ts'
import { hindrancesIn, movesIn, type WatchEvidence } from '../parts/watch-faults.ts'
import { invocationsIn } from './invocations.ts'

/** Seconds between the starts of parts whose next parts one task starts. */
const TOGETHER = 20
/** Seconds before a start in which a fault may separate two starts. */
const EXCUSED = 600

/**
 * Checks that the next parts of recordings that started together are started by one task: a show with fifty recordings must not
 * run fifty tasks at each limit.
 */
export function partsTogether({ shows, statusChanges, trace, failedCalls }: WatchEvidence): string[] {
  const excuses = [...movesIn(trace), ...hindrancesIn({ trace, failedCalls })]
  const tasks = invocationsIn(trace, (caller) => /^RollOver(\/\d+)?$/.test(caller)).map(({ begin, at }) => ({
    from: trace[begin]?.at ?? at,
    to: at,
  }))
  return shows.flatMap(({ showId }) => {
    const runs = partRunsOf(showId, 'archive', statusChanges)
    const beforeOf = (one: (typeof runs)[number]) =>
      runs.find(({ name, part }) => name === one.name && part === one.part - 1)
    const next = runs.flatMap((one) => {
      const before = beforeOf(one)
      return before && isFull(before) && before.to > one.from ? [{ ...one, before }] : []
    })
    const taskOf = ({ from }: { readonly from: number }) =>
      tasks.findIndex((task) => from >= task.from && from <= task.to)
    /** Tasks that a part after a failed one has started, earlier than the limits of others. */
    const early = new Set(
      runs.filter((one) => one.part > 1 && !isFull(beforeOf(one) ?? { from: 0, to: 0 })).map((one) => taskOf(one)),
    )
    return next.flatMap((one, index) => {
      const apart = next
        .slice(index + 1)
        .find(
          (other) =>
            Math.abs(other.before.from - one.before.from) < TOGETHER * 1000 &&
            Math.abs(other.from - one.from) < 2 * TOGETHER * 1000 &&
            taskOf(one) >= 0 &&
            taskOf(other) >= 0 &&
            taskOf(one) !== taskOf(other) &&
            !early.has(taskOf(one)) &&
            !early.has(taskOf(other)),
        )
      if (!apart || excuses.some((at) => at >= one.from - EXCUSED * 1000 && at <= Math.max(one.from, apart.from)))
        return []
      return [`part ${one.part} of ${one.name} and part ${apart.part} of ${apart.name} were started by two tasks`]
    })
  })
}

/** Returns true for a part that ran until about its limit. */
const isFull = ({ from, to }: { readonly from: number; readonly to: number }) =>
  to - from > (limits.archiveDuration.value - 300) * 1000
