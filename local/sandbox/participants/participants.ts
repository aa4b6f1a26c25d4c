import type { WebSocket } from 'ws'
import { type Clock, realClock } from '../../../lib/clock.ts'
import { maySubscribe, participantIdentityOf, readClientToken } from '../http/client-tokens.ts'
import { Refusal } from '../http/refusal.ts'
import type { Media } from '../media/media.ts'
import type { StreamRecord } from '../state/records.ts'
import type { Store } from '../state/store.ts'
import { admitClient } from './admission.ts'
import { createHeartbeat, type Heartbeat } from './heartbeat.ts'
import type { LiveMedia } from './live-media.ts'
import { joinMessage, requestMessage, type ServerMessage, type SessionEvent } from './messages.ts'
import { messageRefusalOf, readMessage, readText, requestNumber } from './parse-message.ts'
import type { DepartureReason, Presence } from './presence.ts'
import { createAnswering, type Requester } from './requests.ts'
import { viewConnection, viewStream } from './views.ts'

export type Participants = ReturnType<typeof createParticipants>

/** A participant who has joined. */
interface Joined extends Requester {
  readonly socket: WebSocket
  readonly heartbeat: Heartbeat
}

/** Waiting messages of a participant at which its socket is paused, until half of them are handled. */
const MAX_WAITING = 64
/** Milliseconds for joining, once the socket is open. */
const JOIN_TIMEOUT = 10_000
/** Bytes that may wait for a participant who does not read. One with more is disconnected. */
const MAX_UNREAD = 1024 * 1024
/** Milliseconds for the other side to close as well, by the wall clock. */
const CLOSE_TIMEOUT = 500

/** Codes with which sockets are closed (RFC 6455, 7.4). */
const closing = { left: 1000, sandboxCloses: 1001, noClosingHandshake: 1006, refused: 1008 } as const

/** Creates the participants that join sessions by WebSocket. */
export function createParticipants(parts: {
  store: Store
  clock: Clock
  presence: Presence
  media: Pick<Media, 'openFile'>
  live: LiveMedia
}) {
  const { store, clock, presence } = parts
  const answerRequest = createAnswering(parts)
  const sockets = new Set<WebSocket>()
  /** Participants by connection. */
  const joined = new Map<string, Joined>()
  let isClosing = false

  /** Accepts a socket that was opened to join a session. */
  function accept(sessionId: string, socket: WebSocket): void {
    let participant: Joined | undefined
    let queue = Promise.resolve()
    /** Handles messages in order: joining takes time, and clients need not wait for its answer. */
    const enqueue = (act: () => Promise<void> | void) => {
      queue = queue.then(act)
    }
    let waiting = 0
    const deadline = clock.at(clock.now() + JOIN_TIMEOUT, () =>
      refuse(socket, new Refusal(408, `The join message did not arrive within ${JOIN_TIMEOUT / 1000} s.`)),
    )
    sockets.add(socket)
    if (isClosing) socket.close(closing.sandboxCloses)
    socket.on('error', () => {}) // a frame that is too long or broken: the socket closes then
    socket.on('message', (data, isBinary) => {
      const text = isBinary ? undefined : String(data)
      if (++waiting >= MAX_WAITING) socket.pause()
      enqueue(async () => {
        if (--waiting <= MAX_WAITING / 2 && socket.isPaused) socket.resume()
        if (participant) return answer(participant, text)
        if (socket.readyState !== socket.OPEN) return
        deadline.cancel()
        participant = await join(sessionId, socket, text).catch((error) => refuse(socket, error))
      })
    })
    socket.on('close', (code) => {
      sockets.delete(socket)
      deadline.cancel()
      enqueue(() => {
        if (participant)
          leave(participant, code === closing.noClosingHandshake ? 'networkDisconnected' : 'clientDisconnected')
      })
    })
  }

  async function join(sessionId: string, socket: WebSocket, text: string | undefined): Promise<Joined> {
    const { token, client } = readMessage(joinMessage, readText(text))
    const session = store.sessions.get(sessionId)
    if (!session) throw new Refusal(404, 'Session not found')
    const project = admitClient(store, session)
    const { claims, problem } = readClientToken(token, { project, sessionId, now: clock.now() })
    if (problem !== undefined) throw new Refusal(403, problem)
    const { role } = claims
    const { data, layoutClasses } = participantIdentityOf(claims)
    const connection = presence.connect(sessionId, data, client)
    const heartbeat = createHeartbeat(clock, socket, () => lose(participant))
    const participant: Joined = { connection, role, layoutClasses, socket, heartbeat }
    const others = store.connections.find({ sessionId }).filter(({ id }) => id !== connection.id)
    const streams = maySubscribe(claims) ? store.streams.find({ sessionId }) : []
    send(participant, {
      type: 'joined',
      connectionId: connection.id,
      role,
      isMuted: store.sessions.get(sessionId)?.isMuted === true,
      connections: others.map(viewConnection),
      streams: streams.map(viewStream),
    })
    joined.set(connection.id, participant)
    return participant
  }

  function refuse(socket: WebSocket, error: unknown): undefined {
    socket.send(JSON.stringify(messageRefusalOf(error)))
    socket.close(closing.refused)
  }

  async function answer(participant: Joined, text: string | undefined): Promise<void> {
    if (!joined.has(participant.connection.id)) return // left already
    let request: number | undefined
    try {
      const value = readText(text)
      request = requestNumber(value)
      send(participant, await answerRequest(participant, readMessage(requestMessage, value)))
    } catch (error) {
      send(participant, messageRefusalOf(error, request))
    }
  }

  const send = (participant: Joined, message: ServerMessage, text = JSON.stringify(message)) => {
    participant.socket.send(text)
    if (participant.socket.bufferedAmount > MAX_UNREAD) queueMicrotask(() => lose(participant)) // after this event's listeners
  }

  function sendToSession(
    sessionId: string,
    event: SessionEvent,
    mayReceive: (participant: Joined) => boolean = () => true,
  ): void {
    const text = JSON.stringify(event)
    for (const participant of joined.values())
      if (participant.connection.sessionId === sessionId && mayReceive(participant)) send(participant, event, text)
  }

  /** Sends an event of a stream to its own client and to those that may subscribe. */
  const sendStreamEvent = ({ sessionId, connectionId }: StreamRecord, event: SessionEvent) =>
    sendToSession(sessionId, event, (participant) => {
      return maySubscribe(participant) || participant.connection.id === connectionId
    })

  /** Returns false if the participant was removed before. */
  function remove(participant: Joined): boolean {
    participant.heartbeat.stop()
    return joined.delete(participant.connection.id)
  }

  function leave(participant: Joined, reason: DepartureReason): void {
    if (remove(participant) && !isClosing) presence.disconnect(participant.connection, reason)
  }

  function lose(participant: Joined): void {
    participant.socket.terminate()
    leave(participant, 'networkDisconnected')
  }

  presence.listen({
    onJoined(client) {
      sendToSession(client.sessionId, { type: 'connectionCreated', connection: viewConnection(client) })
    },
    onLeft(client, reason) {
      const participant = joined.get(client.id)
      if (participant) {
        remove(participant)
        send(participant, { type: 'disconnected', reason })
        participant.socket.close(closing.left, reason)
      }
      sendToSession(client.sessionId, { type: 'connectionDestroyed', connection: viewConnection(client), reason })
    },
    onPublished: (stream) => sendStreamEvent(stream, { type: 'streamCreated', stream: viewStream(stream) }),
    onUnpublished: (stream, reason) =>
      sendStreamEvent(stream, { type: 'streamDestroyed', stream: viewStream(stream), reason }),
    onChanged: (stream) => sendStreamEvent(stream, { type: 'streamChanged', stream: viewStream(stream) }),
    onForceMuted({ id: streamId, connectionId }) {
      const participant = joined.get(connectionId)
      if (participant) send(participant, { type: 'muteForced', streamId })
    },
    onSessionMuted: (sessionId, active) => sendToSession(sessionId, { type: 'sessionMuted', active }),
    onSignal({ connectionId, type, data, from = '' }) {
      const participant = joined.get(connectionId)
      if (participant) send(participant, { type: 'signal', from, signal: { type, data } })
    },
  })

  return {
    accept,
    /** Resolves once no pong is awaited, or after a second of waiting for one. */
    async settled() {
      const awaited = [...joined.values()].flatMap(({ heartbeat }) => heartbeat.awaitedPong ?? [])
      if (awaited.length > 0) await Promise.all(awaited)
    },
    /** Closes every socket. No client leaves its session by that. */
    async close() {
      isClosing = true
      for (const { heartbeat } of joined.values()) heartbeat.stop()
      const closed = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)))
      for (const socket of sockets) socket.close(closing.sandboxCloses, 'The sandbox is closing.')
      const over = new AbortController()
      await Promise.race([Promise.all(closed), realClock.sleep(CLOSE_TIMEOUT, over.signal).catch(() => {})])
      over.abort()
      for (const socket of sockets) socket.terminate()
      await Promise.all(closed)
    },
  }
}
