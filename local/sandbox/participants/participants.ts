import type { WebSocket } from 'ws'
import { type Clock, realClock } from '../../../lib/clock.ts'
import { identityOf, maySubscribe, readClientToken } from '../http/client-tokens.ts'
import { Refusal } from '../http/refusal.ts'
import type { Media } from '../media/media.ts'
import type { StreamRecord } from '../state/records.ts'
import type { Store } from '../state/store.ts'
import { admitClient } from './admission.ts'
import { createHeartbeat, type Heartbeat } from './heartbeat.ts'
import { joinMessage, requestMessage, type ServerMessage, type SessionEvent } from './messages.ts'
import { readMessage, readText, refusalOf, requestNumber } from './parse-message.ts'
import type { DepartureReason, Presence } from './presence.ts'
import { type Asking, createAnswering } from './requests.ts'
import { viewConnection, viewStream } from './views.ts'

/** Those who take part in sessions by a socket of their own. */
export interface Participants {
  /** Takes over a socket that has been opened to join a session. */
  accept(sessionId: string, socket: WebSocket): void
  /** Resolves once no sign of life is awaited; whoever owes one for a second is not waited for. */
  settled(): Promise<void>
  /** Closes every socket; nobody leaves by that, since there is no session any more. */
  close(): Promise<void>
}

/** Somebody who has joined. */
interface Seat extends Asking {
  readonly socket: WebSocket
  readonly pulse: Heartbeat
}

/** Messages of one participant that wait for their turn; then no more is read of the socket until half of them are done. */
const MAX_WAITING = 64
/** Milliseconds for joining, once the socket is open. */
const PATIENCE = 10_000
/** Bytes that wait for a participant who does not read; whoever has more is gone. */
const MAX_UNREAD = 1024 * 1024
/** Milliseconds for the other side to close as well, by the wall clock. */
const LAST_WAIT = 500

/** What sockets are closed with (RFC 6455, 7.4). */
const closing = { left: 1000, sandboxCloses: 1001, noClosingHandshake: 1006, refused: 1008 } as const

export function createParticipants(parts: {
  store: Store
  clock: Clock
  presence: Presence
  media: Pick<Media, 'openFile'>
}): Participants {
  const { store, clock, presence } = parts
  const answerRequest = createAnswering(parts)
  const sockets = new Set<WebSocket>()
  /** By connection. */
  const seats = new Map<string, Seat>()
  let isClosing = false

  function accept(sessionId: string, socket: WebSocket): void {
    let seat: Seat | undefined
    let turn = Promise.resolve()
    /** One after the other, since joining takes a while and whoever joins need not wait for the answer. */
    const inTurn = (act: () => Promise<void> | void) => {
      turn = turn.then(act)
    }
    let waiting = 0
    const deadline = clock.at(clock.now() + PATIENCE, () =>
      refuse(socket, new Refusal(408, `Nobody has joined within ${PATIENCE / 1000} s.`)),
    )
    sockets.add(socket)
    if (isClosing) socket.close(closing.sandboxCloses)
    socket.on('error', () => {}) // a frame that is too long or broken: the socket closes by itself
    socket.on('message', (data, isBinary) => {
      const text = isBinary ? undefined : String(data)
      if (++waiting >= MAX_WAITING) socket.pause()
      inTurn(async () => {
        if (--waiting <= MAX_WAITING / 2 && socket.isPaused) socket.resume()
        if (seat) return answer(seat, text)
        if (socket.readyState !== socket.OPEN) return
        deadline.cancel()
        seat = await join(sessionId, socket, text).catch((error) => refuse(socket, error))
      })
    })
    socket.on('close', (code) => {
      sockets.delete(socket)
      deadline.cancel()
      inTurn(() => {
        if (seat) leave(seat, code === closing.noClosingHandshake ? 'networkDisconnected' : 'clientDisconnected')
      })
    })
  }

  async function join(sessionId: string, socket: WebSocket, text: string | undefined): Promise<Seat> {
    const { token, client } = readMessage(joinMessage, readText(text))
    const session = store.sessions.get(sessionId)
    if (!session) throw new Refusal(404, 'Session not found')
    const project = admitClient(store, session)
    const { claims, problem } = readClientToken(token, { project, sessionId, now: clock.now() })
    if (problem !== undefined) throw new Refusal(403, problem)
    const { role } = claims
    const { data, layoutClasses } = identityOf(claims)
    const connection = presence.connect(sessionId, data, client)
    const pulse = createHeartbeat(clock, socket, () => lose(seat))
    const seat: Seat = { connection, role, layoutClasses, socket, pulse }
    const others = store.connections.find({ sessionId }).filter(({ id }) => id !== connection.id)
    const streams = maySubscribe(claims) ? store.streams.find({ sessionId }) : []
    tell(seat, {
      type: 'joined',
      connectionId: connection.id,
      role,
      isMuted: store.sessions.get(sessionId)?.isMuted === true,
      connections: others.map(viewConnection),
      streams: streams.map(viewStream),
    })
    seats.set(connection.id, seat)
    return seat
  }

  function refuse(socket: WebSocket, error: unknown): undefined {
    socket.send(JSON.stringify(refusalOf(error)))
    socket.close(closing.refused)
  }

  async function answer(seat: Seat, text: string | undefined): Promise<void> {
    if (!seats.has(seat.connection.id)) return // out already
    let request: number | undefined
    try {
      const value = readText(text)
      request = requestNumber(value)
      tell(seat, await answerRequest(seat, readMessage(requestMessage, value)))
    } catch (error) {
      tell(seat, refusalOf(error, request))
    }
  }

  const tell = (seat: Seat, message: ServerMessage, text = JSON.stringify(message)) => {
    seat.socket.send(text)
    if (seat.socket.bufferedAmount > MAX_UNREAD) queueMicrotask(() => lose(seat)) // not amid what is being told
  }

  function tellSession(sessionId: string, event: SessionEvent, mayKnow: (seat: Seat) => boolean = () => true): void {
    const text = JSON.stringify(event)
    for (const seat of seats.values())
      if (seat.connection.sessionId === sessionId && mayKnow(seat)) tell(seat, event, text)
  }

  /** Of a stream hear its client and whoever may subscribe to it. */
  const tellOfStream = ({ sessionId, connectionId }: StreamRecord, event: SessionEvent) =>
    tellSession(sessionId, event, (seat) => maySubscribe(seat) || seat.connection.id === connectionId)

  /** Whether there was somebody to forget. */
  function forget(seat: Seat): boolean {
    seat.pulse.stop()
    return seats.delete(seat.connection.id)
  }

  function leave(seat: Seat, reason: DepartureReason): void {
    if (forget(seat) && !isClosing) presence.disconnect(seat.connection, reason)
  }

  function lose(seat: Seat): void {
    seat.socket.terminate()
    leave(seat, 'networkDisconnected')
  }

  presence.listen({
    onJoined(client) {
      tellSession(client.sessionId, { type: 'connectionCreated', connection: viewConnection(client) })
    },
    onLeft(client, reason) {
      const seat = seats.get(client.id)
      if (seat) {
        forget(seat)
        tell(seat, { type: 'disconnected', reason })
        seat.socket.close(closing.left, reason)
      }
      tellSession(client.sessionId, { type: 'connectionDestroyed', connection: viewConnection(client), reason })
    },
    onPublished: (stream) => tellOfStream(stream, { type: 'streamCreated', stream: viewStream(stream) }),
    onUnpublished: (stream, reason) =>
      tellOfStream(stream, { type: 'streamDestroyed', stream: viewStream(stream), reason }),
    onChanged: (stream) => tellOfStream(stream, { type: 'streamChanged', stream: viewStream(stream) }),
    onForceMuted({ id: streamId, connectionId }) {
      const seat = seats.get(connectionId)
      if (seat) tell(seat, { type: 'muteForced', streamId })
    },
    onSessionMuted: (sessionId, active) => tellSession(sessionId, { type: 'sessionMuted', active }),
    onSignal({ connectionId, type, data, from = '' }) {
      const seat = seats.get(connectionId)
      if (seat) tell(seat, { type: 'signal', from, signal: { type, data } })
    },
  })

  return {
    accept,
    async settled() {
      const owed = [...seats.values()].flatMap(({ pulse }) => pulse.owed ?? [])
      if (owed.length > 0) await Promise.all(owed)
    },
    async close() {
      isClosing = true
      for (const { pulse } of seats.values()) pulse.stop()
      const closed = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)))
      for (const socket of sockets) socket.close(closing.sandboxCloses, 'The sandbox is closing.')
      const over = new AbortController()
      await Promise.race([Promise.all(closed), realClock.sleep(LAST_WAIT, over.signal).catch(() => {})])
      over.abort()
      for (const socket of sockets) socket.terminate()
      await Promise.all(closed)
    },
  }
}
