import type { Trace, TraceDetails } from '../trace.ts'
import type { CallSite, Decide, FaultKind, InjectedFault } from './fault.ts'

/** Counts calls, decides their faults and records what failed. */
export type InjectedFaults = ReturnType<typeof createInjectedFaults>

export interface FailedCall {
  readonly caller: string
  readonly operation: string
  readonly kind: FaultKind
  /** Id of the show for which a function worked. */
  readonly show?: string | undefined
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** Counts calls, and faults that are ordered and that strike, by site. */
interface SiteCounter {
  siteOf(call: Pick<CallSite, 'caller' | 'operation'>): string
  call(site: string): void
  order(kind: string, site: string): void
  strike(kind: string, site: string): void
}

export interface FaultsOptions {
  readonly decide: Decide | undefined
  readonly now: () => number
  readonly trace: Trace
  /** Counts calls and faults by site. @default nothing is counted */
  readonly coverage?: SiteCounter | undefined
}

export function createInjectedFaults({ decide, now, trace, coverage }: FaultsOptions) {
  const counts: Record<string, number> = {}
  const sites = new Map<string, CallSite & { calls: number }>()
  /** Calls that a fault struck, in order. */
  const failedCalls: FailedCall[] = []
  /** Records a fault that struck no call. */
  let current = decide
  const record = (kind: string, words: string, details: TraceDetails = {}) => {
    counts[kind] = (counts[kind] ?? 0) + 1
    trace.note(`fault: ${words}`, { ...details, fault: kind })
  }
  return {
    counts,
    failedCalls,
    /** Lets every further call happen. */
    end: (): void => {
      current = undefined
    },
    /** Decides the faults of every further call. */
    decideBy: (decide: Decide): void => {
      current = decide
    },
    record: (kind: string, words: string): void => record(kind, words),
    /** Records an event that no show may notice, and that therefore excuses nothing. */
    recordUnnoticed(kind: string, words: string): void {
      counts[kind] = (counts[kind] ?? 0) + 1
      trace.note(words, { unnoticed: kind })
    },
    recordCall(call: Omit<FailedCall, 'at'>, words: string, details?: TraceDetails): void {
      failedCalls.push({ ...call, at: now() })
      coverage?.strike(call.kind, coverage.siteOf(call))
      record(call.kind, words, { ...details, show: call.show })
    },
    get sites(): readonly (CallSite & { readonly calls: number })[] {
      return [...sites.values()]
    },
    /** Returns the fault of a call, if any. Called once for each call, when it happens. */
    decide(site: CallSite): InjectedFault | undefined {
      const key = `${site.caller} ${site.operation}`
      const known = sites.get(key) ?? { ...site, calls: 0 }
      sites.set(key, known)
      const occurrence = ++known.calls
      const place = coverage?.siteOf(site) ?? ''
      coverage?.call(place)
      const fault = current?.({ ...site, occurrence, now: now(), site: place })
      if (fault?.isOrdered) coverage?.order(fault.kind, place)
      return fault
    },
  }
}
