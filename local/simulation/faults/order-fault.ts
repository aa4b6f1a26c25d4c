import type { CallSite, Decide, InjectedFault } from './fault.ts'

export interface FaultPlace extends Pick<CallSite, 'caller' | 'operation'> {
  /** The number of the call among those of its site. @default 1 */
  readonly occurrence?: number
}

/** Decides for one fault at one call. */
export const orderFault =
  ({ caller, operation, occurrence = 1 }: FaultPlace, fault: InjectedFault): Decide =>
  (call) =>
    call.caller === caller && call.operation === operation && call.occurrence === occurrence ? fault : undefined
