import type { CallSite, Decide, InjectedFault, NumberedCall } from '../faults/fault.ts'

/** A fault and the call that it strikes, as data that can be removed. */
export interface RecordedFault extends Pick<CallSite, 'caller' | 'operation'>, Pick<NumberedCall, 'occurrence'> {
  readonly fault: InjectedFault
}

/** Wraps `decide` to record its faults. */
export function recordFaults(decide: Decide): { readonly decide: Decide; readonly recorded: readonly RecordedFault[] } {
  const recorded: RecordedFault[] = []
  return {
    recorded,
    decide(call) {
      const fault = decide(call)
      const { caller, operation, occurrence } = call
      if (fault) recorded.push({ caller, operation, occurrence, fault })
      return fault
    },
  }
}

export function repeatFaults(recorded: readonly RecordedFault[]): Decide {
  const keyOf = ({ caller, operation, occurrence }: Omit<RecordedFault, 'fault'>) =>
    `${caller} ${operation} ${occurrence}`
  const faults = new Map(recorded.map((one) => [keyOf(one), one.fault]))
  return (call) => faults.get(keyOf(call))
}
