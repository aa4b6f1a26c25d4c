/** Somebody who takes part in a show. */
export interface Guest {
  readonly name: string
  /** Of those who come before the show is live: seconds after there is a session; at once unless told. */
  readonly comesAt?: number
  /** Of those who come to a show that is live: seconds after its first archive was created. */
  readonly joinsAt?: number
  /** The same, of leaving; absent: stays. */
  readonly leavesAt?: number
  /** The same, of coming back. */
  readonly returnsAt?: number
  /** False for somebody who sends neither audio nor picture. */
  readonly publishes?: boolean
}

/** A guest as the platform knows them. */
export interface Whereabouts {
  readonly connectionId: string
  /** Absent for somebody who only listens. */
  readonly streamId?: string
}

/** Who comes to the demo and to its simulation: two at once, one later, one leaves early, so that the picture changes. */
export const demoGuests: readonly Guest[] = [
  { name: 'Ada' },
  { name: 'Grace', leavesAt: 14 },
  { name: 'Linus', joinsAt: 6 },
]
