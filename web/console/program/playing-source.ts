/** Measurements of a source that is being played. Each is undefined until it can be measured. */
export interface SourceMeasures {
  /** Seconds from the composition of a picture to the screen. */
  readonly latency?: number | undefined
  /** Kilobits that a second of the source has, or took, as the page receives it. */
  readonly kilobits?: number | undefined
}

/** A source that is being played. */
export interface PlayingSource {
  measure(): Promise<SourceMeasures>
  stop(): void
}

/** The reports of a player. */
export interface PlayerEvents {
  /** @param text a sentence in place of the picture */
  readonly notify: (text: string) => void
  /** Called when the source has ended, or has failed permanently. */
  readonly onEnd: () => void
}
