import { exceptionsIn } from '../../trace.ts'
import type { Evidence } from '../evidence.ts'
import { invocationsIn } from './invocations.ts'

/** Functions that run on a schedule. No caller or participant gives them a reason to fail. */
const SCHEDULED = /^(RecordUsage|SweepShows|RotateProjectSecret)(\/\d+)?$/
/** Seconds before the end of an invocation in which a fault may have caused its failure. */
const CAUSE = 900
/** Matches the function that fails with the event app. */
const NOTIFYING = /^NotifyOwner/
/** Failures that the input of a function causes: a damaged file, a missing secret, or an order that the platform refuses. */
const OF_INPUT = ['MediaError', 'TaskConfigError', 'TaskInputError', 'PlatformRequestError']
/** Seconds in which Secrets Manager repeats a rotation that waits for shows. */
const ROTATION = 1_200

/** Checks that no function fails without a fault: on a schedule without a recent one, and otherwise without any. */
export function unprovokedFailures({ trace }: Pick<Evidence, 'trace'>): string[] {
  const faults = exceptionsIn(trace).map(({ at }) => at)
  return invocationsIn(trace, (caller) => !NOTIFYING.test(caller)).flatMap(({ caller, outcome, at }) => {
    if (outcome === 'done') return []
    const isScheduled = SCHEDULED.test(caller)
    if (!isScheduled && OF_INPUT.includes(outcome)) return []
    const since = isScheduled ? at - (caller.startsWith('Rotate') ? ROTATION : CAUSE) * 1000 : 0
    if (faults.some((fault) => fault >= since && fault <= at)) return []
    return [`${caller} failed with ${outcome} at ${new Date(at).toISOString()}, and no fault struck`]
  })
}
