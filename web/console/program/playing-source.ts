/** A source that is being played. */
export interface PlayingSource {
  /** Resolves with the seconds from the composition of a picture to the screen; undefined while that is not measured. */
  latency(): Promise<number | undefined>
  stop(): void
}

/** The reports of a player. */
export interface PlayerEvents {
  /** @param text a sentence in place of the picture */
  readonly notify: (text: string) => void
  /** Called when the source has ended, or has failed permanently. */
  readonly onEnd: () => void
}
