/** Somebody who takes part in a show. */
export interface Guest {
  readonly name: string
  /** Seconds after the first archive or broadcast was created; absent: before it, as soon as there is a session. */
  readonly joinsAt?: number
  /** Seconds after the first archive or broadcast was created; absent: stays. */
  readonly leavesAt?: number
}

/** Who comes to the demo and to its simulation: two at once, one later, one leaves early, so that the picture changes. */
export const demoGuests: readonly Guest[] = [
  { name: 'Ada' },
  { name: 'Grace', leavesAt: 14 },
  { name: 'Linus', joinsAt: 6 },
]
