import type { Evidence } from '../evidence.ts'
import { type Invocation, invocationsIn } from '../model/invocations.ts'
import { NOTIFYING } from './notifying.ts'

const OF_APP = /^app POST /
const LOST_CALL = / -> app POST \S+ (lost before|lost after|delayed)$/
/** Answers after which docs/callbacks.md promises another attempt, beside 5xx. */
export const RETRIED: readonly number[] = [408, 425, 429]

/** Seconds for which a callback is repeated at least. */
const DAY = 86_400

/**
 * Checks that a callback without an answer, or with one that asks for another attempt, is not taken for delivered, and that no time
 * limit gives it up before the day for which it is repeated.
 */
export function repeatedCallbacks({ trace, executions }: Pick<Evidence, 'trace' | 'executions'>): string[] {
  return [...falselyDelivered(trace), ...executions.flatMap(givenUpEarly)]
}

function givenUpEarly({ machine, name, status, startDate, stopDate }: Evidence['executions'][number]): string[] {
  if (machine !== 'notify' || status !== 'TIMED_OUT' || !stopDate) return []
  const seconds = (stopDate.getTime() - startDate.getTime()) / 1000
  return seconds < DAY ? [`the execution ${name} of notify gave up after ${seconds} s`] : []
}

function falselyDelivered(trace: Evidence['trace']): string[] {
  const notices = invocationsIn(trace, (caller) => NOTIFYING.test(caller)).filter(({ outcome }) => outcome === 'done')
  return notices.flatMap(({ caller, entries, at }) => {
    const problem = lastProblem(entries)
    return problem === undefined
      ? []
      : [`${caller} succeeded at ${new Date(at).toISOString()} although the app ${problem}`]
  })
}

/** Returns what the app answered last, if that asks for another attempt. */
function lastProblem(entries: Invocation['entries']): string | undefined {
  const last = entries.findLast(
    ({ call, refused, line }) => OF_APP.test((call ?? refused)?.name ?? '') || LOST_CALL.test(line),
  )
  if (!last) return undefined
  if (LOST_CALL.test(last.line)) return 'did not answer'
  const { status = 0 } = last.call ?? last.refused ?? {}
  return status >= 500 || RETRIED.includes(status) ? `answered ${status}` : undefined
}
