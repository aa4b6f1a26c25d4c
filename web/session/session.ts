import { createOwnStream, type OwnStream, type PublishedStream, type PublishOptions } from './own-stream.ts'
import type { AnswerMessage, EventMessage, JoinedMessage, RequestMessage } from './protocol.ts'
import { createQualityMeter } from './quality.ts'
import { createRemoteStreams } from './remote-streams.ts'
import { type JoinedSocket, openSocket, RefusedError } from './socket.ts'
import type { SessionState } from './state.ts'

/** A signal as it is received. */
export interface ReceivedSignal {
  /** Id of the sending connection; empty for the server. */
  readonly from: string
  readonly type?: string | undefined
  readonly data: string
}

export interface SessionOptions {
  /** Base URL of the sandbox, such as `http://127.0.0.1:41234`. */
  readonly url: string
  readonly sessionId: string
  /** A client token of the session, or a function that fetches one. The function is called again for each reconnection. */
  readonly token: string | (() => Promise<string>)
  /** Called with the new state after each change: once for all changes of a moment, so that a page draws once. */
  readonly onChange?: (state: SessionState) => void
  /** Called with each signal, also with those that the participant sends to all. */
  readonly onSignal?: (signal: ReceivedSignal) => void
  /** The means of the browser; tests replace them. @default those of `globalThis` */
  readonly browser?: BrowserClasses
}

/** The classes of the browser that a session uses. */
export interface BrowserClasses {
  readonly WebSocket: new (url: string, protocol: string) => WebSocket
  readonly RTCPeerConnection: new () => RTCPeerConnection
  readonly MediaStream: new () => MediaStream
}

/** A participant in a session. */
export interface Session {
  readonly state: SessionState
  /**
   * Publishes the tracks of a camera and a microphone, or of a screen. Resolves at once: `state` of the publication says when
   * the others receive it. It is published again after a reconnection.
   */
  publish(media: MediaStream, options?: PublishOptions): PublishedStream
  /** Publishes a screen. It stops when the user ends the sharing in the browser. */
  publishScreen(media: MediaStream, options?: Omit<PublishOptions, 'videoType'>): PublishedStream
  /**
   * Sends a signal to one connection. @default all, including the sender
   * @throws Error with the reason, for example a role that may not signal
   */
  signal(signal: { type?: string; data: string }, to?: string): Promise<void>
  /** Leaves the session: ends the publications, and stops their tracks. */
  leave(): void
}

/** Milliseconds before the first new attempt to connect; it doubles with each attempt. */
const [MIN_INTERVAL, MAX_INTERVAL] = [500, 8_000]
/** Milliseconds between two measurements of quality. */
const MEASURING_INTERVAL = 2_000

/**
 * Joins a session of the sandbox as a participant. It receives every stream of the others, and reconnects automatically: with
 * an ICE restart while the sandbox has kept the peer, otherwise with a new connection. It uses no document.
 *
 * @example
 * const session = joinSession({ url, sessionId, token, onChange: draw, onSignal: showMessage })
 * const media = await navigator.mediaDevices.getUserMedia({ audio: true, video: true })
 * const camera = session.publish(media, { name: 'Ada' })
 * await camera.setAudio(false)
 *
 * function draw({ status, problem, streams, publications }: SessionState) {
 *   for (const { id, name, media, hasVideo, quality } of streams) show(id, media)
 * }
 */
export function joinSession(options: SessionOptions): Session {
  const { url, sessionId, token, onChange, onSignal, browser = globalThis as unknown as BrowserClasses } = options
  const own = new Set<OwnStream>()
  const meters = new WeakMap<RTCPeerConnection, ReturnType<typeof createQualityMeter>>()
  let socket: JoinedSocket | undefined
  let attempts = 0
  let isReporting = false
  let retry: ReturnType<typeof setTimeout> | undefined
  let known: Omit<SessionState, 'streams' | 'publications'> = {
    status: 'connecting',
    isMuted: false,
    connections: [],
  }
  let state = snapshot([])
  const { RTCPeerConnection, MediaStream } = browser
  const remote = createRemoteStreams({ RTCPeerConnection, MediaStream, ask, onChange: report })
  const measuring = setInterval(() => void measure(), MEASURING_INTERVAL)

  function snapshot(streams: SessionState['streams']): SessionState {
    return { ...known, streams, publications: [...own].map((one) => one.state) }
  }
  function report(): void {
    if (isReporting) return
    isReporting = true
    queueMicrotask(() => {
      isReporting = false
      state = snapshot(remote.states)
      onChange?.(state)
    })
  }
  function become(changes: Partial<typeof known>): void {
    known = { ...known, ...changes }
    report()
  }
  async function ask(message: RequestMessage): Promise<AnswerMessage> {
    if (!socket) throw new Error('The session is not connected.')
    return socket.ask(message)
  }

  async function connect(): Promise<void> {
    try {
      const current = typeof token === 'string' ? token : await token()
      const { WebSocket } = browser
      const opened = await openSocket({
        WebSocket,
        url,
        sessionId,
        token: current,
        onEvent: receive,
        onClose: reconnect,
      })
      if (known.status === 'left') return opened.close()
      socket = opened
      enter(opened.joined)
    } catch (error) {
      if (known.status === 'left') return
      const problem = error instanceof Error ? error.message : String(error)
      if (error instanceof RefusedError) end({ problem })
      else reconnect(problem)
    }
  }
  function enter({ connectionId, role, isMuted, connections, streams }: JoinedMessage): void {
    attempts = 0
    become({ status: 'connected', problem: undefined, connectionId, role, isMuted, connections })
    for (const stream of streams) remote.put(stream)
    for (const one of own) void one.open()
  }
  function reconnect(problem = 'The connection to the session was lost.'): void {
    socket = undefined
    if (known.status === 'left') return
    remote.clear()
    become({ status: 'reconnecting', problem, connections: [] })
    retry = setTimeout(() => void connect(), Math.min(MAX_INTERVAL, MIN_INTERVAL * 2 ** attempts++))
  }
  function end(changes: Partial<typeof known>): void {
    clearInterval(measuring)
    clearTimeout(retry)
    become({ ...changes, status: 'left', connections: [] })
    remote.clear()
    for (const one of [...own]) void one.stop()
    socket?.close()
    socket = undefined
  }

  function receive(event: EventMessage): void {
    for (const one of own) one.receive(event)
    switch (event.type) {
      case 'connectionCreated':
        become({ connections: [...known.connections, event.connection] })
        break
      case 'connectionDestroyed':
        become({ connections: known.connections.filter(({ id }) => id !== event.connection.id) })
        break
      case 'streamCreated':
      case 'streamChanged':
        if (event.stream.connectionId !== known.connectionId) remote.put(event.stream)
        break
      case 'streamDestroyed':
        remote.remove(event.stream.id)
        break
      case 'sessionMuted':
        become({ isMuted: event.active })
        break
      case 'signal':
        onSignal?.({ from: event.from, ...event.signal })
        break
      case 'disconnected':
        if (event.reason !== 'networkDisconnected') end({ reason: event.reason, problem: DEPARTURES[event.reason] })
    }
  }

  async function measure(): Promise<void> {
    for (const one of own) {
      const { peer } = one
      if (!peer) continue
      const meter = meters.get(peer) ?? createQualityMeter()
      meters.set(peer, meter)
      one.setQuality(meter(await peer.getStats()) ?? one.state.quality)
    }
    await remote.measure()
    if (known.status === 'connected') report()
  }

  function publish(media: MediaStream, described: PublishOptions = {}): PublishedStream {
    const onStop = () => {
      own.delete(stream)
      report()
    }
    const stream = createOwnStream({ media, options: described, RTCPeerConnection, ask, onChange: report, onStop })
    own.add(stream)
    report()
    if (known.status === 'connected') void stream.open()
    return stream
  }

  void connect()
  return {
    get state() {
      return state
    },
    publish,
    publishScreen(media, described = {}) {
      const screen = publish(media, { ...described, videoType: 'screen' })
      for (const track of media.getVideoTracks()) track.addEventListener('ended', () => void screen.stop())
      return screen
    },
    async signal(signal, to) {
      await ask({ type: 'signal', signal, ...(to !== undefined && { to }) })
    },
    leave() {
      if (known.status !== 'left') end({ problem: undefined })
    },
  }
}

const DEPARTURES = {
  forceDisconnected: 'A moderator has removed you from the session.',
  clientDisconnected: 'You have left the session.',
}
