import type { Trace } from '../trace.ts'
import type { Call, CallSite, Decide, Fault, FaultKind } from './fault.ts'

/** Knows every call that has been made, and what went wrong. */
export interface Faults {
  /** To be asked once for each call, when it happens. */
  decide(site: CallSite): Fault | undefined
  /** Notes something that went wrong beside the calls. */
  count(kind: string, words: string): void
  /** Notes that a fault has struck a call. */
  strike(call: Omit<Struck, 'at'>, words: string): void
  /** Calls that were struck, in order. */
  readonly struck: readonly Struck[]
  /** By kind. */
  readonly counts: Readonly<Record<string, number>>
  /** Every site that has called, with the number of its calls. */
  readonly sites: readonly (CallSite & { readonly calls: number })[]
}

/** A call that went wrong. */
export interface Struck {
  readonly caller: string
  readonly operation: string
  readonly kind: FaultKind
  /** Milliseconds since the epoch. */
  readonly at: number
}

export interface FaultsOptions {
  readonly decide: Decide | undefined
  readonly now: () => number
  readonly trace: Trace
}

export function createFaults({ decide, now, trace }: FaultsOptions): Faults {
  const counts: Record<string, number> = {}
  const sites = new Map<string, CallSite & { calls: number }>()
  const struck: Struck[] = []
  const count = (kind: string, words: string) => {
    counts[kind] = (counts[kind] ?? 0) + 1
    trace.note(`fault: ${words}`)
  }
  return {
    counts,
    struck,
    count,
    strike(call, words) {
      struck.push({ ...call, at: now() })
      count(call.kind, words)
    },
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
  }
}
