import type { Clock } from '../../lib/clock.ts'
import type { Guest } from './guests.ts'

/** Brings guests into the session and takes them out again at their times. */
export interface Audience {
  open(sessionId: string): void
  /** The first archive has just been created. */
  live(): void
}

export interface AudienceOptions {
  readonly guests: readonly Guest[]
  readonly clock: Clock
  /** How a guest reaches the platform's control interface. */
  readonly reach: (guest: string) => (request: Request) => Promise<Response>
}

export function createAudience({ guests, clock, reach }: AudienceOptions): Audience {
  let session: string | undefined
  let isLive = false
  /** Connections by name; undefined for somebody whom the platform did not let in. */
  const here = new Map<string, Promise<string | undefined>>()

  const call = ({ name }: Guest, method: 'POST' | 'DELETE', path: string, body?: object) => {
    const url = `http://localhost/sandbox/sessions/${session}/participants${path}`
    return reach(name)(new Request(url, { method, ...(body && { body: JSON.stringify(body) }) }))
  }
  const connect = async (guest: Guest) => {
    const response = await call(guest, 'POST', '', { name: guest.name })
    return response.ok ? ((await response.json()) as { connectionId: string }).connectionId : undefined
  }
  const join = (guest: Guest) => here.set(guest.name, connect(guest))
  const leave = async (guest: Guest) => {
    const connectionId = await here.get(guest.name)
    if (connectionId !== undefined) await call(guest, 'DELETE', `/${connectionId}`)
  }

  return {
    open(sessionId) {
      if (session !== undefined) return
      session = sessionId
      for (const guest of guests) if (guest.joinsAt === undefined) join(guest)
    },
    live() {
      if (isLive) return
      isLive = true
      const after = (seconds: number) => clock.now() + seconds * 1000
      for (const guest of guests) {
        if (guest.joinsAt !== undefined) clock.at(after(guest.joinsAt), () => join(guest))
        if (guest.leavesAt !== undefined) clock.at(after(guest.leavesAt), () => void leave(guest))
      }
    },
  }
}
