/** What can go wrong with a call of one part of the world to another, where both are well. */
export const callFaults = [
  /** It never arrives: the connection is lost. */
  'lost before',
  /** It happens, and the connection is lost instead of an answer. */
  'lost after',
  /** It happens only after its caller has given it up. */
  'delayed',
  /** It is refused by this status, in the target's own words, and nothing happens. */
  '400',
  '403',
  '404',
  '409',
  '429',
  '500',
  /** It happens, and what answers it is not what it should be. */
  'garbage',
  /** Its caller, a function, dies before it is made. */
  'killed before',
  /** It happens, and its caller, a function, dies before it hears of it. */
  'killed after',
] as const

/** What can go wrong with a function's invocation. */
export const invocationFaults = [
  /** Lambda has no room for it: nothing happens. */
  'throttled',
  /** Its environment dies before or after the work. */
  'crashed before',
  'crashed after',
  /** It takes until its timeout, and has done none or all of its work. */
  'timed out before',
  'timed out after',
] as const

export type FaultKind = (typeof callFaults)[number] | (typeof invocationFaults)[number]

export interface Fault {
  readonly kind: FaultKind
  /** Of `delayed`: from being given up until it happens, 1 unless told. Of `429`: Retry-After; none unless told. */
  readonly seconds?: number
  /** Of `garbage`: JSON that breaks off, or JSON of other types; the first unless told. */
  readonly form?: 'truncated' | 'mistyped'
}

/** The parts of the world that are called. */
export type Target = 'platform' | 'aws' | 'api' | 'app' | 'function'

/** A place from which a call is made, the same in every show: one row of the table of single faults. */
export interface CallSite {
  /** The task's name (`StartRecording`), `platform`, `app`, or `cloud` for invocations. */
  readonly caller: string
  readonly target: Target
  /** Without ids: `platform startArchive`, `s3 PutObject shows/…/state.json`, `lambda StartRecording`. */
  readonly operation: string
}

export interface Call extends CallSite {
  /** How often this site has called before, plus one. */
  readonly occurrence: number
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Decides what goes wrong with a call; undefined lets it be. It is asked once for each call, when it happens. */
export type Decide = (call: Call) => Fault | undefined

/** The kinds that make sense for a site. */
export function faultsOf({ caller, target }: CallSite): readonly FaultKind[] {
  if (target === 'function') return invocationFaults
  const isFunction = caller !== 'platform' && caller !== 'app'
  return isFunction ? callFaults : callFaults.filter((kind) => !kind.startsWith('killed'))
}
