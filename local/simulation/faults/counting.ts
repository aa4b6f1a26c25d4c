import type { Trace } from '../trace.ts'
import type { Call, CallSite, Decide, Fault } from './fault.ts'

/** Knows every call that has been made, and what went wrong. */
export interface Faults {
  /** To be asked once for each call, when it happens. */
  decide(site: CallSite): Fault | undefined
  /** Notes something that went wrong and was no call's fault, or a call's fault that has really struck. */
  count(kind: string, words?: string): void
  /** By kind. */
  readonly counts: Readonly<Record<string, number>>
  /** Every site that has called, with the number of its calls. */
  readonly sites: readonly (CallSite & { readonly calls: number })[]
}

export interface FaultsOptions {
  readonly decide: Decide | undefined
  readonly now: () => number
  readonly trace: Trace
}

export function createFaults({ decide, now, trace }: FaultsOptions): Faults {
  const counts: Record<string, number> = {}
  const sites = new Map<string, CallSite & { calls: number }>()
  return {
    counts,
    get sites() {
      return [...sites.values()]
    },
    decide(site) {
      const key = `${site.caller} ${site.operation}`
      const known = sites.get(key) ?? { ...site, calls: 0 }
      sites.set(key, known)
      const occurrence = ++known.calls
      const call: Call = { ...site, occurrence, now: now() }
      return decide?.(call)
    },
    count(kind, words) {
      counts[kind] = (counts[kind] ?? 0) + 1
      if (words) trace.note(`fault: ${words}`)
    },
  }
}
