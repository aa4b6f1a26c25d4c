export const callFaults = [
  /** The connection is lost before the call arrives. */
  'lost before',
  /** The call happens, and its answer is lost. */
  'lost after',
  /** The call happens after its caller has given it up. */
  'delayed',
  /** The call takes some seconds until it happens, and as many until its answer arrives. */
  'slow',
  /** The target refuses with this status, in its own format. */
  '400',
  '403',
  '404',
  '409',
  '429',
  '500',
  /** The call happens, and its answer is corrupt. */
  'garbage',
  /** The calling function dies before the call. */
  'killed before',
  /** The call happens, and the calling function dies before the answer. */
  'killed after',
] as const

export const invocationFaults = [
  /** Lambda throttles it: nothing happens. */
  'throttled',
  /** Its environment dies before or after the work. */
  'crashed before',
  'crashed after',
  /** It times out, with none or all of its work done. */
  'timed out before',
  'timed out after',
  /** Its environment exceeds its memory at the end of the work. */
  'out of memory',
] as const

/** Faults of the start of an execution by another: Step Functions throttles it, and nothing happens. */
const executionFaults = ['throttled'] as const

export type FaultKind = (typeof callFaults)[number] | (typeof invocationFaults)[number]

export interface InjectedFault {
  readonly kind: FaultKind
  /**
   * `delayed`: seconds from giving up until the call happens. `slow`: seconds until the answer. @default 1
   * `429`: seconds of Retry-After. @default no header
   */
  readonly seconds?: number
  /**
   * `garbage`: an incomplete document, or one with other types. @default 'truncated'
   * `429` of the bus: its answer names the entry that it refused. @default it refuses the whole request
   */
  readonly form?: 'truncated' | 'mistyped' | 'entry'
  /** True if it was ordered for a site that other faults seldom strike. @default false */
  readonly isOrdered?: boolean
}

/** The parts of the world that can be called. */
export type CallTarget = 'platform' | 'aws' | 'api' | 'app' | 'function' | 'execution'

/** A source of calls that is the same in every show: one row of the table of single faults. */
export interface CallSite {
  /** The task's name (`StartRecording`), `platform`, `app`, or `cloud` for invocations. */
  readonly caller: string
  readonly target: CallTarget
  /** Without ids: `platform startArchive`, `s3 PutObject shows/…/state.json`, `lambda StartRecording`, `execution watch`. */
  readonly operation: string
}

export interface NumberedCall extends CallSite {
  /** The number of this call among those of its site, from 1. */
  readonly occurrence: number
  /** Milliseconds since the epoch. */
  readonly now: number
  /** The operation, with the state of the show or the function of publishing. Empty where several shows run. */
  readonly site: string
}

/** Returns the fault of a call, if any. Called once for each call, when it happens. */
export type Decide = (call: NumberedCall) => InjectedFault | undefined

export function faultsOf({ caller, target }: CallSite): readonly FaultKind[] {
  if (target === 'function') return invocationFaults
  if (target === 'execution') return executionFaults
  const isFunction = caller !== 'platform' && caller !== 'app'
  return isFunction ? callFaults : callFaults.filter((kind) => !kind.startsWith('killed'))
}

/** S3 is strongly consistent: it does not say that an object or its bucket is missing while it exists. */
const CONSISTENT = /^s3 /

/** Returns the faults that a seed may draw. A single fault also tries those that no service has. */
export const plausibleFaultsOf = (site: CallSite): readonly FaultKind[] =>
  faultsOf(site).filter((kind) => kind !== '404' || !CONSISTENT.test(site.operation))
