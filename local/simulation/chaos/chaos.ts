/** Faults beside the calls of a show, as data that can be shrunk. Times are seconds since the world began. */
export interface Chaos {
  /** The platform’s process stops, and starts again after `down` seconds. */
  readonly restarts?: readonly { readonly at: number; readonly down: number }[]
  /** A running execution of Showrunner is stopped. The seed picks it. */
  readonly aborts?: readonly number[]
  /** A resource of the platform fails, as soon as one of its kind runs. The seed picks it. */
  readonly failures?: readonly { readonly at: number; readonly of: Breakable }[]
  /** Number of uploads that fail permanently, from the first. */
  readonly failedUploads?: number
  readonly suspensions?: readonly { readonly at: number; readonly seconds: number }[]
  /** All participants leave. They return after `back` seconds, if it is set. */
  readonly exoduses?: readonly { readonly at: number; readonly back?: number }[]
  /** Seconds for which lists miss a new resource, up to 15. */
  readonly listLag?: number
  /** Shares of the bus’s events that arrive twice and late, by up to `latest` seconds. */
  readonly events?: { readonly twice: number; readonly late: number; readonly latest: number }
}

/** Resources that can fail. A composer or a call fails when its client is disconnected. */
export const breakables = ['archive', 'broadcast', 'rtmp target', 'composer', 'call'] as const
export type Breakable = (typeof breakables)[number]
