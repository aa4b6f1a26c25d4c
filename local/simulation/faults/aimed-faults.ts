import type { Decide, FaultKind } from './fault.ts'

/** Faults of consecutive calls of one operation, from the `from`-th one, whichever task makes them. */
export interface AimedFaults {
  /** The name of a call: `platform stopArchive`. */
  readonly operation: string
  readonly from: number
  readonly times: number
  readonly kind: FaultKind
  /** `delayed`: seconds from giving up until the call happens. */
  readonly seconds?: number
}

/** Decides aimed faults: random ones seldom outlast the retries of one call. */
export function aimFaults(aims: readonly AimedFaults[]): Decide {
  const calls = new Map<string, number>()
  return ({ operation }) => {
    const number = (calls.get(operation) ?? 0) + 1
    calls.set(operation, number)
    const aim = aims.find((one) => one.operation === operation && number >= one.from && number < one.from + one.times)
    return aim && { kind: aim.kind, ...(aim.seconds !== undefined && { seconds: aim.seconds }) }
  }
}
