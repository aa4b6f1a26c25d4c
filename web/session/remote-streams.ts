import { createLink, type Link } from './link.ts'
import type { AnswerMessage, RequestMessage, StreamInfo } from './protocol.ts'
import { createQualityMeter, type MeasuredQuality } from './quality.ts'
import type { RemoteStream } from './state.ts'

/** The streams of the others, each of which is received. */
export interface RemoteStreams {
  readonly states: readonly RemoteStream[]
  /** Receives a stream, or notes its changes. */
  put(stream: StreamInfo): void
  remove(streamId: string): void
  /** Forgets all streams. */
  clear(): void
  /** Measures the quality of each. */
  measure(): Promise<void>
}

interface Entry {
  info: StreamInfo
  quality: MeasuredQuality | undefined
  readonly media: MediaStream
  readonly link: Link
  readonly meter: ReturnType<typeof createQualityMeter>
}

export function createRemoteStreams(parts: {
  RTCPeerConnection: new () => RTCPeerConnection
  MediaStream: new () => MediaStream
  ask(message: RequestMessage): Promise<AnswerMessage>
  onChange(): void
}): RemoteStreams {
  const { ask, onChange } = parts
  const entries = new Map<string, Entry>()

  function receive(info: StreamInfo): Entry {
    const media = new parts.MediaStream()
    const askSdp = async (message: RequestMessage) => (await ask(message)) as Extract<AnswerMessage, { sdp: string }>
    const link = createLink({
      RTCPeerConnection: parts.RTCPeerConnection,
      prepare(peer) {
        for (const track of media.getTracks()) media.removeTrack(track)
        peer.ontrack = ({ track }) => {
          media.addTrack(track)
          onChange()
        }
        for (const kind of ['audio', 'video']) peer.addTransceiver(kind, { direction: 'recvonly' })
      },
      offer: (sdp) => askSdp({ type: 'subscribe', streamId: info.id, sdp }),
      renegotiate: (id, sdp) => askSdp({ type: 'offer', id, sdp }),
      onLate: (id) => void ask({ type: 'unsubscribe', id }).catch(() => {}),
      onChange,
    })
    return { info, media, link, meter: createQualityMeter(), quality: undefined }
  }

  return {
    get states() {
      return [...entries.values()].map(({ info, media, link: { status, problem }, quality }) => {
        return { ...info, media, status, problem, quality }
      })
    },
    put(info) {
      const known = entries.get(info.id)
      if (known) known.info = info
      else {
        const entry = receive(info)
        entries.set(info.id, entry)
        void entry.link.open()
      }
      onChange()
    },
    remove(streamId) {
      entries.get(streamId)?.link.close()
      if (entries.delete(streamId)) onChange()
    },
    clear() {
      for (const { link } of entries.values()) link.close()
      entries.clear()
    },
    async measure() {
      for (const entry of entries.values()) {
        const report = await entry.link.peer?.getStats()
        if (report) entry.quality = entry.meter(report) ?? entry.quality
      }
    },
  }
}
