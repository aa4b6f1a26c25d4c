import type { Decide, FaultKind, InjectedFault } from './fault.ts'

/** Faults of consecutive calls of one operation, from the `from`-th one, whichever task makes them. */
export interface AimedFaults {
  /** The name of a call: `platform stopArchive`. */
  readonly operation: string
  readonly from: number
  readonly times: number
  readonly kind: FaultKind
  /** `delayed`: seconds from giving up until the call happens. */
  readonly seconds?: number
  /** `garbage`, or `429` of the bus: the form of the answer. */
  readonly form?: InjectedFault['form']
}

/** Decides aimed faults: random ones seldom outlast the retries of one call. */
export function aimFaults(aims: readonly AimedFaults[]): Decide {
  const calls = new Map<string, number>()
  return ({ operation }) => {
    const number = (calls.get(operation) ?? 0) + 1
    calls.set(operation, number)
    const aim = aims.find((one) => one.operation === operation && number >= one.from && number < one.from + one.times)
    if (!aim) return undefined
    const { kind, seconds, form } = aim
    return { kind, ...(seconds !== undefined && { seconds }), ...(form && { form }) }
  }
}
