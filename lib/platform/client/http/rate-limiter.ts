/** Limits the rate of the calls that several clients make together. */
export interface RateLimiter {
  /** Resolves with true as soon as a call may be sent, or with false if that takes longer than the call may wait. */
  admit(call: RatedCall): Promise<boolean>
  /** Notes that the platform throttled a call. */
  noteThrottled(): Promise<void>
}

/** The facts about a call that decide how long it waits. */
export interface RatedCall {
  /** True for a call that changes nothing: it gives way to the others. */
  readonly isRead: boolean
  /** Deadline of the call, in milliseconds since the epoch. @default none */
  readonly until?: number | undefined
  readonly signal?: AbortSignal | undefined
}
