/** A show as its page shows it. */
export interface WatchedShow {
  readonly showId: string
  /** `after` once the show is over. */
  readonly phase: 'before' | 'live' | 'after'
  /** True if it starts many times. Its `phase` is `before` between its starts. */
  readonly isSeries: boolean
  /** Planned start (ISO 8601), of a series the next one; null if it has begun. */
  readonly startsAt: string | null
  /** URL of a picture. */
  readonly cover: string | null
  /** `#rrggbb` */
  readonly accentColor: string | null
  /** The live broadcast; null while there is none. */
  readonly live: { readonly playlist: string; readonly dvr: boolean; readonly lowLatency: boolean } | null
  /** The published recordings, in the order of the show; of a series those of its newest shows, unless one runs. */
  readonly recordings: readonly WatchedRecordingLink[]
  /** True while more recordings are expected. */
  readonly isPublishing: boolean
}

/** A recording on the page of its show. */
export interface WatchedRecordingLink {
  readonly name: string
  /** Path of its watch page, with credentials. */
  readonly path: string
  /** When its show began (ISO 8601); null unless a series started it. */
  readonly startedAt: string | null
}
