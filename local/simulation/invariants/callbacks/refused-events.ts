import type { Evidence, ExecutionEvidence } from '../evidence.ts'
import { invocationsIn } from '../model/invocations.ts'
import { NOTIFYING } from './notifying.ts'

/** A fault by which the answer of the function does not reach its execution, which calls it again. */
const LOST = /cloud -> lambda NotifyOwner .* after$/
/** Answers for which a notification is repeated (docs/callbacks.md), and that of an app which wants no more events. */
const NOT_FINAL: ReadonlySet<number> = new Set([408, 425, 429, 410])

type Judged = Pick<Evidence, 'trace'> & {
  readonly executions: readonly Pick<ExecutionEvidence, 'machine' | 'input' | 'status'>[]
}

/** Checks that an event which an app refuses permanently is a failed execution, which rings an alarm. */
export function refusedEvents({ trace, executions }: Judged): string[] {
  const refused = new Map<string, number>()
  const posted = new Map<string, number>()
  for (const { entries, outcome } of invocationsIn(trace, (caller) => NOTIFYING.test(caller))) {
    const last = entries.findLast(({ call, refused: struck }) => (call ?? struck)?.name.startsWith('app POST '))
    const { status = 0 } = last?.call ?? last?.refused ?? {}
    if (outcome !== 'done' || last?.show === undefined) continue
    posted.set(last.show, (posted.get(last.show) ?? 0) + 1)
    if (status < 300 || status >= 500) continue
    if (!NOT_FINAL.has(status)) refused.set(last.show, (refused.get(last.show) ?? 0) + 1)
  }
  const lost = trace.filter(({ fault, line }) => fault !== undefined && LOST.test(line)).length
  return [...refused].flatMap(([showId, count]) => {
    const notifying = executions.filter(({ machine, input }) => machine === 'notify' && input.includes(showId))
    const failed = notifying.filter(({ status }) => status === 'FAILED')
    const repeated = Math.max(0, (posted.get(showId) ?? 0) - notifying.length)
    return failed.length + lost + repeated >= count
      ? []
      : [
          `the app refused ${count} events of the show ${showId.slice(0, 12)}, and ${failed.length} executions of notify failed`,
        ]
  })
}
