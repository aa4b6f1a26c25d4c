import type { Clock } from '../../../lib/clock.ts'
import type { Guest, Whereabouts } from './guests.ts'

/** Brings guests into the session and takes them out again at their times. */
export interface Audience {
  /** The app has told them of a session; where there was another before, they go on in this one. */
  open(sessionId: string): void
  /** The first archive has just been created. */
  live(): void
  /** Everybody who is there leaves at once, and returns so many seconds later, if at all. */
  leaveEarly(back: number | undefined): void
  /** Everybody who should be there comes back: the platform has lost them. */
  comeBack(): void
  /** Where a guest is, or was last; undefined for somebody who has never been there. */
  find(name: string): Whereabouts | undefined
}

export interface AudienceOptions {
  readonly guests: readonly Guest[]
  readonly clock: Clock
  /** How a guest reaches the platform's control interface. */
  readonly reach: (guest: string) => (request: Request) => Promise<Response>
}

interface Connection {
  readonly sessionId: string
  readonly connectionId: string
}

/** Guests whom the platform does not let in try again so often, and so long after, in ms. */
const TRIES = 120
const TRY_AGAIN = 5_000

export function createAudience({ guests, clock, reach }: AudienceOptions): Audience {
  let session: string | undefined
  let isLive = false
  /** Those who want to be there. */
  const present = new Set<Guest>()
  /** Connections of those whom the platform has let in. */
  const connections = new Map<Guest, Connection>()
  const lastSeen = new Map<string, Whereabouts>()

  const call = ({ name }: Guest, method: 'POST' | 'DELETE', path: string, body?: object) => {
    const url = `http://localhost/sandbox/sessions/${path}`
    return reach(name)(new Request(url, { method, ...(body && { body: JSON.stringify(body) }) }))
  }
  const connect = async (guest: Guest) => {
    const meant = session
    for (let tries = 0; tries < TRIES; tries++) {
      if (meant === undefined || !present.has(guest) || session !== meant) return
      const { name, publishes: publish = true } = guest
      const body = { name, publish }
      const response = await call(guest, 'POST', `${meant}/participants`, body).catch(() => undefined)
      if (response?.ok) {
        const whereabouts = (await response.json()) as Whereabouts
        const connection = { sessionId: meant, connectionId: whereabouts.connectionId }
        if (!present.has(guest) || session !== meant) return disconnect(guest, connection)
        connections.set(guest, connection)
        lastSeen.set(guest.name, whereabouts)
        return
      }
      if (response?.status === 404) return
      await clock.sleep(TRY_AGAIN)
    }
  }
  const disconnect = async (guest: Guest, connection = connections.get(guest)) => {
    if (connection === connections.get(guest)) connections.delete(guest)
    if (!connection) return
    const { sessionId, connectionId } = connection
    await call(guest, 'DELETE', `${sessionId}/participants/${connectionId}`).catch(() => {})
  }
  const join = (guest: Guest) => {
    present.add(guest)
    void connect(guest)
  }
  const come = (guest: Guest) => {
    if (!guest.comesAt) return join(guest)
    clock.at(clock.now() + guest.comesAt * 1000, () => join(guest))
  }
  const leave = (guest: Guest) => {
    present.delete(guest)
    void disconnect(guest)
  }

  return {
    open(sessionId) {
      if (session === sessionId) return
      const isFirst = session === undefined
      session = sessionId
      for (const guest of connections.keys()) void disconnect(guest)
      if (!isFirst) for (const guest of present) join(guest)
      else for (const guest of guests) if (guest.joinsAt === undefined) come(guest)
    },
    live() {
      if (isLive) return
      isLive = true
      const after = (seconds: number) => clock.now() + seconds * 1000
      for (const guest of guests) {
        if (guest.joinsAt !== undefined) clock.at(after(guest.joinsAt), () => join(guest))
        if (guest.leavesAt !== undefined) clock.at(after(guest.leavesAt), () => leave(guest))
        if (guest.returnsAt !== undefined) clock.at(after(guest.returnsAt), () => join(guest))
      }
    },
    leaveEarly(back) {
      const left = [...present]
      for (const guest of left) leave(guest)
      if (back === undefined) return
      clock.at(clock.now() + back * 1000, () => {
        for (const guest of left) join(guest)
      })
    },
    comeBack() {
      connections.clear()
      for (const guest of present) void connect(guest)
    },
    find: (name) => lastSeen.get(name),
  }
}
