import { exceptionsIn } from '../../trace.ts'
import type { Evidence } from '../evidence.ts'
import { invocationsIn } from './invocations.ts'

/** Functions that run on a schedule. No caller or participant gives them a reason to fail. */
const SCHEDULED = /^(RecordUsage|SweepShows|RotateProjectSecret)(\/\d+)?$/
/** Seconds before the end of an invocation in which a fault may have caused its failure. */
const CAUSE = 900

/** Checks that no function on a schedule fails without a fault. */
export function unprovokedFailures({ trace }: Pick<Evidence, 'trace'>): string[] {
  return invocationsIn(trace, (caller) => SCHEDULED.test(caller)).flatMap(({ caller, outcome, at }) => {
    if (outcome === 'done') return []
    const isCaused = exceptionsIn(trace).some((one) => one.at >= at - CAUSE * 1000 && one.at <= at)
    return isCaused ? [] : [`${caller} failed with ${outcome} at ${new Date(at).toISOString()}, and no fault struck`]
  })
}
