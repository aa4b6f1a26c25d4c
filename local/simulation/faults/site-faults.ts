import type { CallSite, Decide, FaultKind } from './fault.ts'

/** Faults of consecutive calls of one site, from the `from`-th one. */
export interface SiteFaults extends Pick<CallSite, 'caller' | 'operation'> {
  readonly from: number
  readonly times: number
  readonly kind: FaultKind
  /** `delayed`: seconds from giving up until the call happens. */
  readonly seconds?: number
}

/** Decides faults of sites. Calls are counted from the first one that it is asked about. */
export function decideSiteFaults(faults: readonly SiteFaults[]): Decide {
  const calls = new Map<string, number>()
  return ({ caller, operation }) => {
    const site = `${caller} ${operation}`
    const number = (calls.get(site) ?? 0) + 1
    calls.set(site, number)
    const strikes = faults.find(
      (one) => `${one.caller} ${one.operation}` === site && number >= one.from && number < one.from + one.times,
    )
    return strikes && { kind: strikes.kind, ...(strikes.seconds !== undefined && { seconds: strikes.seconds }) }
  }
}
