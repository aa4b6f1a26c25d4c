import type { Clock } from '../../lib/clock.ts'
import { joinSession, type Participant } from '../../local/sandbox/participants/client.ts'

/** Somebody who takes part in a show, sending audio and picture. */
export interface Guest {
  readonly name: string
  /** Of those who come to a show that is live: seconds after its first archive was created; absent: comes before. */
  readonly joinsAt?: number
  /** The same, of leaving; absent: stays. */
  readonly leavesAt?: number
}

/** Names for any number of guests, in the order in which they are used. */
export const guestNames = ['Ada', 'Grace', 'Linus', 'Margaret', 'Alan', 'Barbara', 'Dennis', 'Frances', 'Ken', 'Radia']

export interface AudienceOptions {
  readonly sandboxUrl: string
  readonly guests: readonly Guest[]
  /** Asks, as an event app would, for the token with which a guest connects; undefined when nobody is let in any more. */
  readonly admit: (name: string) => Promise<string | undefined>
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onChange?: (name: string, what: 'joined' | 'left') => void
}

/** Brings guests into a session and takes them out again at their times. */
export interface Audience {
  /** Lets those in who come before the show. */
  open(sessionId: string): Promise<void>
  /** From this moment (milliseconds) the others' times count. Rejects when one of them cannot come or go. */
  live(sessionId: string, since: number): Promise<void>
  /** Takes out whoever is still there, even when the signal has been aborted. */
  leave(): Promise<void>
}

export function createAudience({ sandboxUrl, guests, admit, clock, signal, onChange }: AudienceOptions): Audience {
  /** Those who are there. */
  const present = new Map<string, Participant>()

  /** Not given the signal: an answer that is not waited for would leave somebody in of whom nobody knows. */
  const join = async (sessionId: string, name: string) => {
    signal.throwIfAborted()
    const token = await admit(name)
    if (token === undefined) return
    const participant = await joinSession({ url: sandboxUrl, sessionId, token })
    present.set(name, participant)
    await participant.publish({ name })
    onChange?.(name, 'joined')
  }
  const leave = async (name: string) => {
    const participant = present.get(name)
    if (participant === undefined) return
    present.delete(name)
    await participant.leave()
    onChange?.(name, 'left')
  }
  const until = (time: number) => clock.sleep(Math.max(0, time - clock.now()), signal)

  return {
    async open(sessionId) {
      for (const guest of guests) if (guest.joinsAt === undefined) await join(sessionId, guest.name)
    },
    async live(sessionId, since) {
      const visits = guests.map(async (guest) => {
        if (guest.joinsAt !== undefined) {
          await until(since + guest.joinsAt * 1000)
          await join(sessionId, guest.name)
        }
        if (guest.leavesAt !== undefined) {
          await until(since + guest.leavesAt * 1000)
          await leave(guest.name)
        }
      })
      await Promise.all(visits)
    },
    async leave() {
      for (const name of [...present.keys()]) await leave(name)
    },
  }
}
