export interface SimulatedParticipant {
  readonly name: string
  /** Seconds after the session’s start, for participants who join before the show is live. @default 0 */
  readonly comesAt?: number
  /** Seconds after the first archive’s creation, for participants who join a live show. */
  readonly joinsAt?: number
  /** Seconds after the first archive’s creation. @default never */
  readonly leavesAt?: number
  /** Seconds after the first archive’s creation. @default never */
  readonly returnsAt?: number
  /** False for a participant without audio and video. @default true */
  readonly publishes?: boolean
}

/** The platform’s ids of a participant. */
export interface ParticipantIds {
  readonly connectionId: string
  /** Absent for a participant who publishes nothing. */
  readonly streamId?: string
}

/**
 * Participants of the demo and its simulation: two at once, one later, one who leaves early, so that the layout
 * changes.
 */
export const demoParticipants: readonly SimulatedParticipant[] = [
  { name: 'Ada' },
  { name: 'Grace', leavesAt: 14 },
  { name: 'Linus', joinsAt: 6 },
]
