/** A byte range of a media file. `start` is in milliseconds since the epoch, `duration` in seconds. */
export interface KeptRange {
  /** Name of the file in the broadcast's directory. */
  readonly file: string
  readonly offset: number
  readonly size: number
  readonly start: number
  readonly duration: number
}

/** A partial segment (RFC 8216bis, 4.4.4.9). */
export interface LivePart extends KeptRange {
  /** True if it begins with a keyframe. */
  readonly isIndependent: boolean
}

/** A segment with its parts. Older segments have none, see LiveTimeline. */
export interface LiveSegment extends KeptRange {
  readonly parts: readonly LivePart[]
}
