/** What happens beside the calls of a show; times are seconds since the world began. Data, so that it can be made less. */
export interface Chaos {
  /** The platform's process ends, and comes back so many seconds later. */
  readonly restarts?: readonly { readonly at: number; readonly down: number }[]
  /** Somebody stops one of Showrunner's executions that run, which the seed picks. */
  readonly aborts?: readonly number[]
  /** Something of the platform breaks, then or as soon after as one runs; the seed picks the one. */
  readonly failures?: readonly { readonly at: number; readonly of: Breakable }[]
  /** Uploads fail for good, the first ones. */
  readonly failedUploads?: number
  /** The project is suspended for so many seconds. */
  readonly suspensions?: readonly { readonly at: number; readonly seconds: number }[]
  /** Everybody leaves; `back` seconds later they return, unless they do not. */
  readonly exoduses?: readonly { readonly at: number; readonly back?: number }[]
  /** Lists do not have what was created within so many seconds, up to 15. */
  readonly listLag?: number
  /** Of the events on the bus, the shares that arrive twice and late; `latest` in seconds. */
  readonly events?: { readonly twice: number; readonly late: number; readonly latest: number }
}

/** A composer or a call ends when its client is thrown out of the session. */
export const breakables = ['archive', 'broadcast', 'rtmp target', 'composer', 'call'] as const
export type Breakable = (typeof breakables)[number]
