import type { Call, CallSite, Decide, Fault } from '../faults/fault.ts'

/** A fault and the very call that it strikes. Data, so that it can be left out. */
export interface RecordedFault extends Pick<CallSite, 'caller' | 'operation'>, Pick<Call, 'occurrence'> {
  readonly fault: Fault
}

/** Decides as it is told, and keeps what it has decided. */
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

/** Decides for exactly these. */
export function repeatFaults(recorded: readonly RecordedFault[]): Decide {
  const keyOf = ({ caller, operation, occurrence }: Omit<RecordedFault, 'fault'>) =>
    `${caller} ${operation} ${occurrence}`
  const faults = new Map(recorded.map((one) => [keyOf(one), one.fault]))
  return (call) => faults.get(keyOf(call))
}
