import type { TrackCounters } from '../../insights/measurements.ts'
import type { CallMedia } from '../call-media.ts'
import type { CallAudio } from './call-audio.ts'
import type { CallVideo } from './call-video.ts'
import type { Codec } from './codecs/codec.ts'
import { type CodecName, codecNames, createCodec } from './codecs/create-codec.ts'
import { hasOpus } from './codecs/opus-codec.ts'
import { loadDtls } from './dtls/load-dtls.ts'
import { type MediaSockets, openMediaSockets } from './media-sockets.ts'
import { createRtpStream, type RtpStream, type RtpStreamParts } from './rtp/rtp-stream.ts'
import { createVideoStream, type VideoStream } from './rtp/video-stream.ts'
import { type Agreement, createNegotiation, type Negotiation } from './sdp/negotiation.ts'

/** Media of one call: audio over RTP, digits, and the video that the phone sends. */
export interface RtpCallMedia extends CallMedia {
  /** Sends DTMF digits to the phone; each `p` among them is a pause. */
  play(digits: string): void
  /** Counts of what the phone has sent, for Insights. */
  counters(): { readonly audio?: TrackCounters | undefined; readonly video?: TrackCounters | undefined }
}

export interface CallMediaOptions extends Pick<RtpStreamParts, 'random' | 'onDigit' | 'onReceiving'> {
  /** Returns the IPv4 address of this machine at which the phone is to send. Called once. */
  readonly address: () => string | Promise<string>
  /** The call must be encrypted with SRTP. */
  readonly secure: boolean
  readonly audio: CallAudio
  /** @default video is refused */
  readonly video?: CallVideo | undefined
  /** Codecs in the order of preference. @default Opus where its library runs, then G.711 */
  readonly codecs?: readonly CodecName[] | undefined
}

/** Creates the media of a call. Its ports are bound by the first offer or answer. */
export function createCallMedia(options: CallMediaOptions): RtpCallMedia {
  const { secure, random, audio, video, codecs = codecNames } = options
  const usable = codecs.filter((codec) => codec !== 'opus/48000/2' || hasOpus())
  let opening: Promise<Open> | undefined
  let open: Open | undefined
  let codec: { readonly name: CodecName; readonly codec: Codec } | undefined
  let disconnect: (() => void) | undefined
  let isClosed = false

  interface Open {
    readonly sockets: MediaSockets
    readonly stream: RtpStream
    readonly seen: { readonly sockets: MediaSockets; readonly stream: VideoStream } | undefined
    readonly negotiation: Negotiation
  }
  async function openVideo(address: string): Promise<Open['seen']> {
    if (!video) return undefined
    const sockets = await openMediaSockets(address)
    return { sockets, stream: createVideoStream({ sockets, random, video }) }
  }
  async function start(): Promise<Open> {
    const address = await options.address()
    const sockets = await openMediaSockets(address)
    const stream = createRtpStream({ ...options, sockets })
    const seen = await openVideo(address)
    const ports = { port: sockets.port, videoPort: seen?.sockets.port }
    open = {
      sockets,
      stream,
      seen,
      negotiation: createNegotiation({ address, ...ports, secure, random, codecs: usable }),
    }
    if (isClosed) shut(open)
    return open
  }
  function shut({ stream, sockets, seen }: Open): void {
    stream.end()
    seen?.stream.end()
    sockets.close()
    seen?.sockets.close()
  }
  const opened = () => (opening ??= start())

  async function apply({ stream, seen }: Open, agreement: Agreement): Promise<void> {
    const { codec: name } = agreement.format
    if (codec?.name !== name) {
      const created = await createCodec(name)
      if (isClosed) return created.close()
      codec?.codec.close()
      codec = { name, codec: created }
    }
    if (isClosed) return
    stream.agree(agreement, codec.codec)
    seen?.stream.agree(agreement.video)
    disconnect ??= audio.connect(stream)
  }

  return {
    async offer() {
      return (await opened()).negotiation.offer('sendrecv')
    },
    async accept(answerSdp) {
      const use = await opened()
      await apply(use, use.negotiation.accept(answerSdp))
    },
    reoffer(direction) {
      if (!open) throw new Error('The call has no media yet: offer it first.')
      return open.negotiation.offer(direction)
    },
    async answer(offerSdp) {
      const use = await opened()
      const dtls = /^m=.* UDP\/TLS\//m.test(offerSdp) ? await loadDtls() : undefined
      const { answer, agreement } = use.negotiation.answer(offerSdp, dtls?.certificate.fingerprint)
      await apply(use, agreement)
      return answer
    },
    play: (digits) => open?.stream.play(digits),
    counters() {
      const audio = codec && open && { ...open.stream.counters(), codec: codec.name.split('/', 1)[0]?.toUpperCase() }
      return { audio, video: open?.seen?.stream.counters() }
    },
    close() {
      if (isClosed) return
      isClosed = true
      disconnect?.()
      if (open) shut(open)
      codec?.codec.close()
    },
  }
}
