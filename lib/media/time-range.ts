/** A part of a recording, in seconds from its start. */
export interface Stretch {
  readonly start: number
  readonly end: number
}
