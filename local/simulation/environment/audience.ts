import type { Clock } from '../../../lib/clock.ts'
import type { ParticipantIds, SimulatedParticipant } from './participants.ts'

/** Lets participants join and leave sessions at their times. */
export interface Audience {
  /** Moves the audience of a show into a session. */
  open(sessionId: string, showId: string | undefined): void
  /** Starts the times of a session’s participants that count from the first archive. */
  live(sessionId: string): void
  /** Disconnects all participants. They return after `back` seconds if it is given. */
  leaveAll(back: number | undefined): void
  /** Reconnects all participants after a restart of the platform. */
  rejoin(): void
  /** Returns the current or last ids of a participant; undefined before the first join. */
  find(name: string): ParticipantIds | undefined
  /** Frees the audience of a show that is over. Only audiences of many shows have it. */
  forget?(showId: string): void
}

export interface AudiencesOptions extends Pick<SimulatedAudienceOptions, 'clock' | 'reach'> {
  /** Resolves once the show’s participants are known: its session may open before its app has the id. */
  readonly participantsOf: (showId: string) => Promise<readonly SimulatedParticipant[]>
}

/** Creates an audience for each show as soon as its session opens. */
export function createAudiences({ participantsOf, ...parts }: AudiencesOptions): Audience {
  const byShow = new Map<string, { readonly audience: Audience; readonly sessions: Set<string> }>()
  const bySession = new Map<string, Audience>()
  const all = () => [...byShow.values()].map(({ audience }) => audience)
  return {
    open(sessionId, showId = '') {
      void participantsOf(showId).then((participants) => {
        const own = byShow.get(showId) ?? {
          audience: createSimulatedAudience({ participants, ...parts }),
          sessions: new Set(),
        }
        byShow.set(showId, own)
        own.sessions.add(sessionId)
        bySession.set(sessionId, own.audience)
        own.audience.open(sessionId, showId)
      })
    },
    live: (sessionId) => bySession.get(sessionId)?.live(sessionId),
    leaveAll: (back) => all().forEach((audience) => void audience.leaveAll(back)),
    rejoin: () => all().forEach((audience) => void audience.rejoin()),
    find: () => undefined,
    forget(showId) {
      for (const session of byShow.get(showId)?.sessions ?? []) bySession.delete(session)
      byShow.delete(showId)
    },
  }
}

export interface SimulatedAudienceOptions {
  readonly participants: readonly SimulatedParticipant[]
  readonly clock: Clock
  /** Returns a participant’s connection to the platform’s control interface. */
  readonly reach: (participant: string) => (request: Request) => Promise<Response>
}

interface Connection {
  readonly sessionId: string
  readonly connectionId: string
}

/** Attempts of a participant to join, and milliseconds between them. */
const TRIES = 120
const TRY_AGAIN = 5_000

/** Creates the audience of one show, which moves into every session that opens. */
export function createSimulatedAudience({ participants, clock, reach }: SimulatedAudienceOptions): Audience {
  let session: string | undefined
  let isLive = false
  /** Participants who are joined or trying to join. */
  const present = new Set<SimulatedParticipant>()
  const connections = new Map<SimulatedParticipant, Connection>()
  const lastSeen = new Map<string, ParticipantIds>()

  const call = ({ name }: SimulatedParticipant, method: 'POST' | 'DELETE', path: string, body?: object) => {
    const url = `http://localhost/sandbox/sessions/${path}`
    return reach(name)(new Request(url, { method, ...(body && { body: JSON.stringify(body) }) }))
  }
  const connect = async (participant: SimulatedParticipant) => {
    const wanted = session
    for (let tries = 0; tries < TRIES; tries++) {
      if (wanted === undefined || !present.has(participant) || session !== wanted) return
      const { name, publishes: publish = true } = participant
      const body = { name, publish }
      const response = await call(participant, 'POST', `${wanted}/participants`, body).catch(() => undefined)
      if (response?.ok) {
        const ids = (await response.json()) as ParticipantIds
        const connection = { sessionId: wanted, connectionId: ids.connectionId }
        if (!present.has(participant) || session !== wanted) return disconnect(participant, connection)
        connections.set(participant, connection)
        lastSeen.set(participant.name, ids)
        return
      }
      if (response?.status === 404) return
      await clock.sleep(TRY_AGAIN)
    }
  }
  const disconnect = async (participant: SimulatedParticipant, connection = connections.get(participant)) => {
    if (connection === connections.get(participant)) connections.delete(participant)
    if (!connection) return
    const { sessionId, connectionId } = connection
    await call(participant, 'DELETE', `${sessionId}/participants/${connectionId}`).catch(() => {})
  }
  const join = (participant: SimulatedParticipant) => {
    present.add(participant)
    void connect(participant)
  }
  const come = (participant: SimulatedParticipant) => {
    if (!participant.comesAt) return join(participant)
    clock.at(clock.now() + participant.comesAt * 1000, () => join(participant))
  }
  const leave = (participant: SimulatedParticipant) => {
    present.delete(participant)
    void disconnect(participant)
  }

  return {
    open(sessionId) {
      if (session === sessionId) return
      const isFirst = session === undefined
      session = sessionId
      for (const participant of connections.keys()) void disconnect(participant)
      if (!isFirst) for (const participant of present) join(participant)
      else for (const participant of participants) if (participant.joinsAt === undefined) come(participant)
    },
    live() {
      if (isLive) return
      isLive = true
      const after = (seconds: number) => clock.now() + seconds * 1000
      for (const participant of participants) {
        if (participant.joinsAt !== undefined) clock.at(after(participant.joinsAt), () => join(participant))
        if (participant.leavesAt !== undefined) clock.at(after(participant.leavesAt), () => leave(participant))
        if (participant.returnsAt !== undefined) clock.at(after(participant.returnsAt), () => join(participant))
      }
    },
    leaveAll(back) {
      const left = [...present]
      for (const participant of left) leave(participant)
      if (back === undefined) return
      clock.at(clock.now() + back * 1000, () => {
        for (const participant of left) join(participant)
      })
    },
    rejoin() {
      connections.clear()
      for (const participant of present) void connect(participant)
    },
    find: (name) => lastSeen.get(name),
  }
}
