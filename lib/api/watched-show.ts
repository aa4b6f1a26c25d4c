/** A show as its page shows it. */
export interface WatchedShow {
  readonly showId: string
  /** `after` once the show is over. */
  readonly phase: 'before' | 'live' | 'after'
  /** Planned start (ISO 8601); null if it has begun, or starts many times. */
  readonly startsAt: string | null
  /** URL of a picture. */
  readonly cover: string | null
  /** `#rrggbb` */
  readonly accentColor: string | null
  /** The live broadcast; null while there is none. */
  readonly live: { readonly playlist: string; readonly dvr: boolean; readonly lowLatency: boolean } | null
  /** The published recordings, in the order of the show. `path` is that of the watch page, with credentials. */
  readonly recordings: readonly { readonly name: string; readonly path: string }[]
  /** True while more recordings are expected. */
  readonly isPublishing: boolean
}
