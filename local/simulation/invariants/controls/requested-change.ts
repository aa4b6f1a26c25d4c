/** The body of a request to change a live show. */
export interface RequestedChange {
  /** Total seconds of live time. */
  readonly duration?: number
  readonly endsAt?: string
  readonly layouts?: readonly Composed[]
  readonly streams?: readonly Composed[]
}

/** The recording or the broadcast that a change names. */
export interface Composed {
  readonly recording?: string
  readonly broadcast?: string
}
