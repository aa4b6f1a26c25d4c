import type { z } from 'zod'
import type { ClientDetails } from '../state/spans.ts'
import {
  type Joined,
  PROTOCOL,
  type requestMessage,
  type ServerMessage,
  type SessionAnswer,
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
  /** Called with every event of the session from now on. */
  readonly onEvent?: (event: SessionEvent) => void
}

/** A participant in a session. Requests reject with the reason of a refusal, or when the participant has left. */
export type Participant = Awaited<ReturnType<typeof joinSession>>

/** An answered offer; `id` names the publication or the subscription. */
export type AnsweredOffer = Pick<Extract<SessionAnswer, { sdp: string }>, 'id' | 'sdp'>

type Request = z.input<typeof requestMessage>

/**
 * Joins a session of the sandbox as a client of the platform would, by Node's own WebSocket.
 * @throws Error with the reason of a refusal
 */
export async function joinSession(options: JoinOptions) {
  const { url, sessionId, token, client, onEvent } = options
  const address = `${url.replace(/^http/, 'ws')}/sandbox/sessions/${encodeURIComponent(sessionId)}/participants`
  const socket = new WebSocket(address, PROTOCOL)
  const joining = Promise.withResolvers<Joined>()
  const left = Promise.withResolvers<DepartureReason>()
  const waiting = new Map<number, PromiseWithResolvers<SessionAnswer>>()
  let reason: DepartureReason = 'networkDisconnected' // unless the sandbox sends a reason
  let requests = 0

  const send = (message: object) => socket.send(JSON.stringify(message))
  socket.addEventListener('open', () => send({ type: 'join', token, ...(client && { client }) }))
  socket.addEventListener('message', ({ data }) => receive(JSON.parse(String(data)) as ServerMessage))
  socket.addEventListener('close', () => {
    joining.reject(new Error(`The sandbox at ${url} closed the connection before the join: check that it is running.`))
    for (const { reject } of waiting.values()) reject(new Error('The participant left the session before the answer.'))
    left.resolve(reason)
  })

  function receive(message: ServerMessage): void {
    if (message.type === 'joined') joining.resolve(message)
    else if (isAnswer(message)) receiveAnswer(message)
    else {
      if (message.type === 'disconnected') reason = message.reason
      onEvent?.(message)
    }
  }

  function receiveAnswer(answer: SessionAnswer): void {
    const { request = -1 } = answer // an answer without a number is that of the join
    const asked = waiting.get(request)
    waiting.delete(request)
    if (answer.type === 'refused') (asked ?? joining).reject(new Error(answer.reason))
    else asked?.resolve(answer)
  }

  async function ask(message: Request): Promise<SessionAnswer> {
    if (socket.readyState !== socket.OPEN) throw new Error('The participant has left the session.')
    const request = requests++
    const answer = Promise.withResolvers<SessionAnswer>()
    waiting.set(request, answer)
    send({ ...message, request })
    return answer.promise
  }
  const request = async (message: Request) => void (await ask(message))
  async function askSdp(message: Request): Promise<AnsweredOffer> {
    const { id, sdp } = (await ask(message)) as Extract<SessionAnswer, { sdp: string }>
    return { id, sdp }
  }

  const { type: _, ...joined } = await joining.promise
  return {
    ...joined,
    /** Publishes a stream, by default a generated one with audio and video. */
    async publish(stream: z.input<typeof publication> = {}): Promise<StreamView> {
      const answer = await ask({ type: 'publish', ...stream })
      return (answer as Extract<SessionAnswer, { stream: StreamView }>).stream
    },
    /** Publishes what an SDP offer sends. Returns the id that its stream will have, and the SDP answer. */
    publishOffer: (sdp: string, stream: Omit<z.input<typeof publication>, 'source'> = {}) =>
      askSdp({ type: 'publish', ...stream, sdp }),
    unpublish: (streamId: string) => request({ type: 'unpublish', streamId }),
    /** Receives a stream over WebRTC. Returns the id of the subscription, and the SDP answer. */
    subscribe: (streamId: string, sdp: string) => askSdp({ type: 'subscribe', streamId, sdp }),
    unsubscribe: (id: string) => request({ type: 'unsubscribe', id }),
    /** Sends another offer of a publication or a subscription; returns the answer. */
    offer: (id: string, sdp: string) => askSdp({ type: 'offer', id, sdp }),
    /** Mutes or unmutes an own stream, also one that a moderator has muted. */
    setAudio: (streamId: string, audio: boolean) => request({ type: 'setAudio', streamId, audio }),
    /** Hides the picture of an own stream, or shows it again. */
    setVideo: (streamId: string, video: boolean) => request({ type: 'setVideo', streamId, video }),
    /** Sends a signal to one connection, by default to all, including the sender's. */
    signal: (signal: { type?: string; data: string }, to?: string) => request({ type: 'signal', signal, to }),
    /** Mutes a stream; only for moderators. */
    forceMute: (streamId: string) => request({ type: 'forceMute', streamId }),
    /** Mutes all streams except those excluded, now and later; only for moderators. */
    forceMuteAll: (mute: { active?: boolean; excludedStreamIds?: string[] } = {}) =>
      request({ type: 'forceMuteAll', ...mute }),
    forceDisconnect: (connectionId: string) => request({ type: 'forceDisconnect', connectionId }),
    async leave() {
      if (socket.readyState === socket.OPEN) send({ type: 'leave' })
      await left.promise
    },
    /** Resolves with the reason when the participant has left. */
    left: left.promise,
  }
}

const answerTypes: readonly string[] = [
  'published',
  'subscribed',
  'answered',
  'done',
  'refused',
] satisfies SessionAnswer['type'][]

const isAnswer = (message: ServerMessage): message is SessionAnswer => answerTypes.includes(message.type)
