import { type AnswerMessage, type EventMessage, type JoinedMessage, PROTOCOL, type RequestMessage } from './protocol.ts'

/** Thrown when the sandbox refuses a request; the message is its reason. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
}

/** A WebSocket that has joined a session. */
export interface JoinedSocket {
  readonly joined: JoinedMessage
  /**
   * Sends a request, and resolves with its answer.
   * @throws {@link RefusedError} when it is refused
   * @throws Error when the socket is closed before the answer
   */
  ask(message: RequestMessage): Promise<AnswerMessage>
  close(): void
}

export interface SocketOptions {
  readonly WebSocket: new (url: string, protocol: string) => WebSocket
  readonly url: string
  readonly sessionId: string
  readonly token: string
  onEvent(event: EventMessage): void
  /** Called once when a socket that has joined is closed. */
  onClose(): void
}

/**
 * Joins a session.
 * @throws {@link RefusedError} when the sandbox refuses the token or the session
 * @throws Error when the sandbox cannot be reached
 */
export function openSocket(options: SocketOptions): Promise<JoinedSocket> {
  const { url, sessionId, token, onEvent, onClose } = options
  const path = `/sandbox/sessions/${encodeURIComponent(sessionId)}/participants`
  const socket = new options.WebSocket(url.replace(/^http/, 'ws').replace(/\/$/, '') + path, PROTOCOL)
  const joining = Promise.withResolvers<JoinedSocket>()
  const waiting = new Map<number, PromiseWithResolvers<AnswerMessage>>()
  let requests = 0
  let hasJoined = false

  const send = (message: object) => {
    if (socket.readyState === 1) socket.send(JSON.stringify(message)) // else its end follows
  }
  function settle(answer: AnswerMessage): void {
    const { request = -1 } = answer // an answer without a number is that of the join
    const asked = waiting.get(request)
    waiting.delete(request)
    if (answer.type === 'refused') (asked ?? joining).reject(new RefusedError(answer.reason))
    else asked?.resolve(answer)
  }
  function ask(message: RequestMessage): Promise<AnswerMessage> {
    if (socket.readyState !== 1) return Promise.reject(new Error('The connection to the session is closed.'))
    const request = requests++
    const answer = Promise.withResolvers<AnswerMessage>()
    waiting.set(request, answer)
    send({ ...message, request })
    return answer.promise
  }
  function receive(message: JoinedMessage | AnswerMessage | EventMessage): void {
    if (message.type === 'joined') {
      hasJoined = true
      joining.resolve({ joined: message, ask, close: () => socket.close() })
    } else if (isAnswer(message)) settle(message)
    else if (hasJoined) onEvent(message)
  }

  socket.addEventListener('open', () => send({ type: 'join', token }))
  socket.addEventListener('message', ({ data }) => receive(JSON.parse(String(data))))
  socket.addEventListener('close', () => {
    joining.reject(new Error(`The session at ${url} cannot be reached. Check that the sandbox is running.`))
    for (const { reject } of waiting.values()) reject(new Error('The connection to the session was closed.'))
    waiting.clear()
    if (hasJoined) onClose()
  })
  return joining.promise
}

const answerTypes: readonly string[] = [
  'published',
  'subscribed',
  'answered',
  'done',
  'refused',
] satisfies AnswerMessage['type'][]

const isAnswer = (message: AnswerMessage | EventMessage): message is AnswerMessage => answerTypes.includes(message.type)
