import type { BrowserClasses } from '../../../web/session/session.ts'

interface Message {
  readonly type: string
  readonly request?: number
  readonly [field: string]: unknown
}

/** A socket that a test plays the server of. */
class FakeSocket extends EventTarget {
  readyState = 0
  readonly sent: Message[] = []
  readonly url: string
  constructor(url: string) {
    super()
    this.url = url
  }
  /** Opens it, as a server that accepts it. */
  accept(): void {
    this.readyState = 1
    this.dispatchEvent(new Event('open'))
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text))
  }
  receive(message: object): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }))
  }
  close(): void {
    if (this.readyState === 3) return
    this.readyState = 3
    this.dispatchEvent(new Event('close'))
  }
  /** Returns the last request of a type. */
  last(type: string): Message | undefined {
    return this.sent.findLast((message) => message.type === type)
  }
  /** Answers the last request of a type. */
  answer(type: string, answer: object): void {
    this.receive({ ...answer, request: this.last(type)?.request })
  }
}

class FakePeer {
  connectionState = 'new'
  localDescription: { sdp: string } | undefined
  remoteDescription: { sdp: string } | undefined
  onconnectionstatechange: (() => void) | null = null
  ontrack: ((event: { track: object }) => void) | null = null
  isClosed = false
  stats: object[] = []
  private offers = 0
  readonly transceivers: { kind: string; sender: { track: unknown; replaceTrack(track: unknown): Promise<void> } }[] =
    []

  addTransceiver(trackOrKind: { kind: string } | string): void {
    const kind = typeof trackOrKind === 'string' ? trackOrKind : trackOrKind.kind
    const sender = {
      track: typeof trackOrKind === 'string' ? null : (trackOrKind as unknown),
      async replaceTrack(track: unknown) {
        sender.track = track
      },
    }
    this.transceivers.push({ kind, sender })
  }
  getTransceivers() {
    return this.transceivers
  }
  async createOffer({ iceRestart = false } = {}) {
    return { sdp: `offer ${++this.offers}${iceRestart ? ' restart' : ''}` }
  }
  async setLocalDescription(description?: { sdp: string }) {
    this.localDescription = description ?? (await this.createOffer())
  }
  async setRemoteDescription(description: { sdp: string }) {
    this.remoteDescription = description
  }
  async getStats() {
    return new Map(this.stats.map((one, index) => [String(index), one]))
  }
  close(): void {
    this.isClosed = true
  }
  become(state: string): void {
    this.connectionState = state
    this.onconnectionstatechange?.()
  }
}

class FakeStream {
  readonly tracks: FakeTrack[]
  constructor(tracks: FakeTrack[] = []) {
    this.tracks = tracks
  }
  getTracks = () => [...this.tracks]
  getVideoTracks = () => this.tracks.filter(({ kind }) => kind === 'video')
  addTrack = (track: FakeTrack) => void this.tracks.push(track)
  removeTrack = (track: FakeTrack) => void this.tracks.splice(this.tracks.indexOf(track), 1)
}

export class FakeTrack extends EventTarget {
  enabled = true
  isStopped = false
  readonly kind: 'audio' | 'video'
  constructor(kind: 'audio' | 'video') {
    super()
    this.kind = kind
  }
  stop(): void {
    this.isStopped = true
  }
}

/** Creates a browser without a network, and lists what a session opens in it. */
export function createFakeBrowser() {
  const sockets: FakeSocket[] = []
  const peers: FakePeer[] = []
  const browser = {
    WebSocket: class extends FakeSocket {
      constructor(url: string) {
        super(url)
        sockets.push(this)
      }
    },
    RTCPeerConnection: class extends FakePeer {
      constructor() {
        super()
        peers.push(this)
      }
    },
    MediaStream: FakeStream,
  } as unknown as BrowserClasses
  return { browser, sockets, peers }
}

export const cameraOf = (...kinds: ('audio' | 'video')[]) =>
  new FakeStream(kinds.map((kind) => new FakeTrack(kind))) as unknown as MediaStream
