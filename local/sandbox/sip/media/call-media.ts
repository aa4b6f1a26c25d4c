import type { TrackCounters } from '../../insights/measurements.ts'
import type { CallMedia } from '../call-media.ts'
import type { CallAudio } from './call-audio.ts'
import type { Codec } from './codecs/codec.ts'
import { type CodecName, codecNames, createCodec } from './codecs/create-codec.ts'
import { hasOpus } from './codecs/opus-codec.ts'
import { type MediaSockets, openMediaSockets } from './rtp/media-sockets.ts'
import { createRtpStream, type RtpStream, type RtpStreamParts } from './rtp/rtp-stream.ts'
import { type Agreement, createNegotiation, type Negotiation } from './sdp/negotiation.ts'

/** Media of one call: audio over RTP, and digits. */
export interface RtpCallMedia extends CallMedia {
  /** Sends DTMF digits to the phone; each `p` among them is a pause. */
  play(digits: string): void
  /** Counts of what the phone has sent, for Insights. */
  counters(): { readonly audio?: TrackCounters | undefined }
}

export interface CallMediaOptions extends Pick<RtpStreamParts, 'random' | 'onDigit' | 'onReceiving'> {
  /** Returns the IPv4 address of this machine at which the phone is to send. Called once. */
  readonly address: () => string | Promise<string>
  /** The call must be encrypted with SRTP. */
  readonly secure: boolean
  readonly audio: CallAudio
  /** Codecs in the order of preference. @default Opus where its library runs, then G.711 */
  readonly codecs?: readonly CodecName[] | undefined
}

/** Creates the media of a call. Its ports are bound by the first offer or answer. */
export function createCallMedia(options: CallMediaOptions): RtpCallMedia {
  const { secure, random, audio, codecs = codecNames } = options
  const usable = codecs.filter((codec) => codec !== 'opus/48000/2' || hasOpus())
  let opening: Promise<Open> | undefined
  let open: Open | undefined
  let codec: { readonly name: CodecName; readonly codec: Codec } | undefined
  let disconnect: (() => void) | undefined
  let isClosed = false

  interface Open {
    readonly sockets: MediaSockets
    readonly stream: RtpStream
    readonly negotiation: Negotiation
  }
  async function start(): Promise<Open> {
    const address = await options.address()
    const sockets = await openMediaSockets(address)
    const stream = createRtpStream({ ...options, sockets })
    open = {
      sockets,
      stream,
      negotiation: createNegotiation({ address, port: sockets.port, secure, random, codecs: usable }),
    }
    if (isClosed) sockets.close()
    return open
  }
  const opened = () => (opening ??= start())

  async function apply({ stream }: Open, agreement: Agreement): Promise<void> {
    const { codec: name } = agreement.format
    if (codec?.name !== name) {
      const created = await createCodec(name)
      if (isClosed) return created.close()
      codec?.codec.close()
      codec = { name, codec: created }
    }
    if (isClosed) return
    stream.agree(agreement, codec.codec)
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
      const { answer, agreement } = use.negotiation.answer(offerSdp)
      await apply(use, agreement)
      return answer
    },
    play: (digits) => open?.stream.play(digits),
    counters: () => ({ audio: codec && open?.stream.counters() }),
    close() {
      if (isClosed) return
      isClosed = true
      disconnect?.()
      open?.stream.end()
      open?.sockets.close()
      codec?.codec.close()
    },
  }
}
