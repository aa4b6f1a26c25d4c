import type { z } from 'zod'
import type { ClientDetails } from '../state/spans.ts'
import {
  type Answer,
  type Joined,
  PROTOCOL,
  type requestMessage,
  type ServerMessage,
  type SessionEvent,
  type StreamView,
} from './messages.ts'
import type { DepartureReason } from './presence.ts'
import type { publication } from './publication.ts'

export interface JoinOptions {
  /** Base URL of the sandbox. */
  readonly url: string
  readonly sessionId: string
  /** A client token of the session. */
  readonly token: string
  readonly client?: ClientDetails
  /** Hears of everything that happens in the session from now on. */
  readonly onEvent?: (event: SessionEvent) => void
}

/** Somebody in a session. Every request rejects with the reason for which it is refused, or when the session is left. */
export interface Participant extends Omit<Joined, 'type'> {
  /** With audio and picture unless told otherwise. */
  publish(stream?: z.input<typeof publication>): Promise<StreamView>
  unpublish(streamId: string): Promise<void>
  /** Mutes a stream of one's own, or ends that, whoever has muted it. */
  setAudio(streamId: string, audio: boolean): Promise<void>
  /** To everybody, oneself included, unless a connection is named. */
  signal(signal: { type?: string; data: string }, to?: string): Promise<void>
  /** As moderators may: a stream; or all but those excluded, now and later. */
  forceMute(streamId: string): Promise<void>
  forceMuteAll(mute?: { active?: boolean; excludedStreamIds?: string[] }): Promise<void>
  forceDisconnect(connectionId: string): Promise<void>
  leave(): Promise<void>
  /** Resolves when one is out, for whatever reason. */
  readonly left: Promise<DepartureReason>
}

type Request = z.input<typeof requestMessage>

/**
 * Joins a session of the sandbox as a platform's client would, by the WebSocket that is part of Node.
 * @throws Error with the reason for which one is not let in
 */
export async function joinSession(options: JoinOptions): Promise<Participant> {
  const { url, sessionId, token, client, onEvent } = options
  const address = `${url.replace(/^http/, 'ws')}/sandbox/sessions/${encodeURIComponent(sessionId)}/participants`
  const socket = new WebSocket(address, PROTOCOL)
  const joining = Promise.withResolvers<Joined>()
  const left = Promise.withResolvers<DepartureReason>()
  const waiting = new Map<number, PromiseWithResolvers<Answer>>()
  let reason: DepartureReason = 'networkDisconnected' // unless the sandbox says why
  let requests = 0

  const say = (message: object) => socket.send(JSON.stringify(message))
  socket.addEventListener('open', () => say({ type: 'join', token, ...(client && { client }) }))
  socket.addEventListener('message', ({ data }) => hear(JSON.parse(String(data)) as ServerMessage))
  socket.addEventListener('close', () => {
    joining.reject(new Error(`The sandbox at ${url} does not let anybody in: is it running?`))
    for (const { reject } of waiting.values()) reject(new Error('The session has been left: there is no answer.'))
    left.resolve(reason)
  })

  function hear(message: ServerMessage): void {
    if (message.type === 'joined') joining.resolve(message)
    else if (message.type === 'published' || message.type === 'done' || message.type === 'refused') hearAnswer(message)
    else {
      if (message.type === 'disconnected') reason = message.reason
      onEvent?.(message)
    }
  }

  function hearAnswer(answer: Answer): void {
    const { request = -1 } = answer // what bears no number answers the joining
    const asked = waiting.get(request)
    waiting.delete(request)
    if (answer.type === 'refused') (asked ?? joining).reject(new Error(answer.reason))
    else asked?.resolve(answer)
  }

  async function ask(message: Request): Promise<Answer> {
    if (socket.readyState !== socket.OPEN) throw new Error('The session has been left.')
    const request = requests++
    const answer = Promise.withResolvers<Answer>()
    waiting.set(request, answer)
    say({ ...message, request })
    return answer.promise
  }
  const order = async (message: Request) => void (await ask(message))

  const { type: _, ...joined } = await joining.promise
  return {
    ...joined,
    async publish(stream = {}) {
      const answer = await ask({ type: 'publish', ...stream })
      return (answer as Extract<Answer, { type: 'published' }>).stream
    },
    unpublish: (streamId) => order({ type: 'unpublish', streamId }),
    setAudio: (streamId, audio) => order({ type: 'setAudio', streamId, audio }),
    signal: (signal, to) => order({ type: 'signal', signal, to }),
    forceMute: (streamId) => order({ type: 'forceMute', streamId }),
    forceMuteAll: (mute = {}) => order({ type: 'forceMuteAll', ...mute }),
    forceDisconnect: (connectionId) => order({ type: 'forceDisconnect', connectionId }),
    async leave() {
      if (socket.readyState === socket.OPEN) say({ type: 'leave' })
      await left.promise
    },
    left: left.promise,
  }
}
