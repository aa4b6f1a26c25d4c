import type { Evidence } from '../evidence.ts'
import { invocationsIn } from './invocations.ts'

/** Checks that no function waits for one answer until its time is over, and loses the rest of its work. */
export function boundedCalls({ trace }: Pick<Evidence, 'trace'>): string[] {
  return invocationsIn(trace).flatMap(({ caller, entries, outcome, at }) => {
    if (outcome !== 'Sandbox.Timedout') return []
    const faults = entries.flatMap(({ fault }) => fault ?? [])
    if (faults.length > 1) return []
    return [`${caller} ran out of time at ${new Date(at).toISOString()}, after ${faults[0] ?? 'no fault'}`]
  })
}
