import type { Clock } from '../../lib/clock.ts'

/** A participant on the join page who waits for a show to start. */
export interface WaitingParticipant {
  readonly name: string
  /** Absent while there is no show. */
  readonly showId?: string
}

/** The participants who wait on the join page. */
export interface WaitingParticipants {
  /** Notes that a participant waits. The page repeats this every few seconds. @param visitor id that the page has chosen */
  note(visitor: string, participant: WaitingParticipant): void
  /** Removes a participant, who has joined or left. */
  remove(visitor: string): void
  /** Returns the participants who still wait, in the order of their arrival. */
  list(): readonly WaitingParticipant[]
}

/** Milliseconds after which a page that no longer asks is gone. Browsers slow the timers of hidden pages to one a minute. */
const ABSENT_MS = 75_000
/** Participants that are remembered. The page of a later one still waits, but is not listed. */
const MAX_PARTICIPANTS = 500

export function createWaitingParticipants({ now }: Pick<Clock, 'now'>): WaitingParticipants {
  const participants = new Map<string, { readonly participant: WaitingParticipant; readonly seenAt: number }>()
  const removeAbsent = () => {
    for (const [visitor, { seenAt }] of participants) if (now() - seenAt > ABSENT_MS) participants.delete(visitor)
  }
  return {
    note(visitor, participant) {
      removeAbsent()
      if (participants.has(visitor) || participants.size < MAX_PARTICIPANTS)
        participants.set(visitor, { participant, seenAt: now() })
    },
    remove: (visitor) => void participants.delete(visitor),
    list() {
      removeAbsent()
      return [...participants.values()].map(({ participant }) => participant)
    },
  }
}
