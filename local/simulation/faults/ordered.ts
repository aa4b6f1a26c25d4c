import type { CallSite, Decide, Fault } from './fault.ts'

/** Where an ordered fault strikes. */
export interface Struck extends Pick<CallSite, 'caller' | 'operation'> {
  /** Which of the site's calls, counted from 1; the first unless told. */
  readonly occurrence?: number
}

/** Exactly this fault at exactly this call. */
export const orderFault =
  ({ caller, operation, occurrence = 1 }: Struck, fault: Fault): Decide =>
  (call) =>
    call.caller === caller && call.operation === operation && call.occurrence === occurrence ? fault : undefined
