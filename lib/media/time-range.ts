/** A part of a recording, in seconds from its start. */
export interface TimeRange {
  readonly start: number
  readonly end: number
}
