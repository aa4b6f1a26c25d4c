import type { Clock } from '../../lib/clock.ts'

/** Somebody who takes part in a show, sending sound and picture. */
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

export function createAudience({ sandboxUrl, guests, clock, signal, onChange }: AudienceOptions): Audience {
  /** Where those who are there can be taken out. */
  const places = new Map<string, string>()

  /** Not given the signal: an answer that is not waited for would leave somebody in of whom nobody knows. */
  const call = async (method: 'POST' | 'DELETE', path: string, body?: object) => {
    const response = await fetch(`${sandboxUrl}/sandbox/sessions/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok)
      throw new Error(`The sandbox refused a participant (${response.status}): ${await response.text()}`)
    return response
  }
  const join = async (sessionId: string, name: string) => {
    signal.throwIfAborted()
    const response = await call('POST', `${sessionId}/participants`, { name })
    const { connectionId } = (await response.json()) as { connectionId: string }
    places.set(name, `${sessionId}/participants/${connectionId}`)
    onChange?.(name, 'joined')
  }
  const leave = async (name: string) => {
    const place = places.get(name)
    if (place === undefined) return
    places.delete(name)
    await call('DELETE', place)
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
      for (const name of [...places.keys()]) await leave(name)
    },
  }
}
