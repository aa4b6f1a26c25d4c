import type { Evidence } from '../evidence.ts'

/** Seconds after which the machines that a show starts as its children end with their next poll. */
const LIMITS: ReadonlyMap<string, number> = new Map([
  ['watch', 3_900],
  ['audience', 3_500],
])
/** Seconds that the last poll may take, with the wait before it. */
const LAST_POLL = 200
/** Seconds before its end in which a fault may delay it. */
const EXCUSED = 600

/** Checks that no child of a show runs for much more than its hour, unless a fault delays its last poll. */
export function boundedChildren({ executions, trace, now }: Pick<Evidence, 'executions' | 'trace' | 'now'>): string[] {
  const faults = trace.filter(({ fault }) => fault !== undefined).map(({ at }) => at)
  return executions.flatMap(({ machine, name, startDate, stopDate }) => {
    const limit = LIMITS.get(machine)
    if (limit === undefined) return []
    const [from, to] = [startDate.getTime(), stopDate?.getTime() ?? now]
    const isExcused = faults.some((at) => at >= from + (limit - EXCUSED) * 1000 && at <= to)
    if (to - from <= (limit + LAST_POLL) * 1000 || isExcused) return []
    return [`the execution ${name} of ${machine} ran for ${(to - from) / 1000} s, where ${limit} s is the limit`]
  })
}
