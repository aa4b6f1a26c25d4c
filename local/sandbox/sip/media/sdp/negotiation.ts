import { type CodecName, codecNames } from '../codecs/create-codec.ts'
import { type AudioDescription, type AudioFormat, readAudio, refuseMedia, writeAudio } from './audio.ts'
import { type Encryption, encryptionOf, protocolOf, type RtpSection } from './rtp-section.ts'
import { createSdesKey, type SdesKey } from './sdes.ts'
import { type Direction, readSdp, type SdpMedia, writeSdp } from './sdp.ts'
import { offeredVideo, readVideo, type VideoDescription, writeVideo } from './video.ts'

/** Agreement on audio, or on video. Packets are sent to the address until they arrive from another one. */
export interface RtpAgreement extends Pick<RtpSection, 'address' | 'port' | 'rtcpPort' | 'isMuxed'> {
  readonly receives: boolean
  /** Keys of what is sent and received, if they are in the SDP. */
  readonly keys: { readonly own: SdesKey; readonly other: SdesKey } | undefined
  /** The handshake that gives the keys, and the certificate of the other side. */
  readonly dtls: { readonly isClient: boolean; readonly fingerprint: string } | undefined
}

/** Video that the other side sends. It may change between the formats. */
export interface VideoAgreement extends RtpAgreement, Pick<VideoDescription, 'formats' | 'keyframeRequest'> {}

/** Outcome of an offer and its answer. */
export interface Agreement extends RtpAgreement {
  readonly format: AudioFormat
  /**
   * Payload type of digits, and the rate of their durations: some phones use 8 kHz beside Opus. Absent if the other side does not
   * take them.
   */
  readonly digits: { readonly payloadType: number; readonly rate: number } | undefined
  readonly sends: boolean
  /** Absent without video that both sides support. */
  readonly video: VideoAgreement | undefined
}

/** Offers and answers of one call (RFC 3264). */
export interface Negotiation {
  /** @param direction what this side wants */
  offer(direction: Exclude<Direction, 'recvonly'>): string
  /** @throws Error for an answer that cannot be used: what was agreed before still holds */
  accept(answer: string): Agreement
  /**
   * @param fingerprint that of the own certificate. @default offers of DTLS are refused
   * @throws Error for an offer that cannot be answered: what was agreed before still holds
   */
  answer(offer: string, fingerprint?: string): { readonly answer: string; readonly agreement: Agreement }
}

/** Payload types in an own offer. */
const OFFERED: Readonly<Record<CodecName, number>> = { 'opus/48000/2': 96, 'PCMU/8000': 0, 'PCMA/8000': 8 }
const OFFERED_DIGITS = new Map([
  [8_000, 101],
  [48_000, 102],
])
const RATES: Readonly<Record<CodecName, number>> = { 'opus/48000/2': 48_000, 'PCMU/8000': 8_000, 'PCMA/8000': 8_000 }
const REVERSED = { sendrecv: 'sendrecv', sendonly: 'recvonly', recvonly: 'sendonly', inactive: 'inactive' } as const

/** A section of the last offer or answer: one that is used, or the lines of one that is refused. */
type Slot = 'audio' | 'video' | readonly string[]

export function createNegotiation({
  address,
  port,
  videoPort,
  secure,
  random,
  codecs = codecNames,
}: {
  address: string
  port: number
  /** Port at which video is received. @default it is refused */
  videoPort?: number | undefined
  secure: boolean
  random: (bytes: number) => Buffer
  /** In the order of preference. @default all */
  codecs?: readonly CodecName[] | undefined
}): Negotiation {
  const id = random(4).readUInt32BE()
  const ownKey = createSdesKey(random)
  const ownVideoKey = createSdesKey(random)
  let version = 0
  let wanted: Exclude<Direction, 'recvonly'> = 'sendrecv'
  /** Sections keep their places for the whole call (RFC 3264, 8). */
  let slots: readonly Slot[] = videoPort === undefined ? ['audio'] : ['audio', 'video']
  /** Certificate of this side, and the encryption of each section: offers keep what was agreed. */
  let ownFingerprint: string | undefined
  let encryptions: Readonly<Record<'audio' | 'video', Encryption>> = {
    audio: secure ? 'sdes' : 'none',
    video: secure ? 'sdes' : 'none',
  }
  const write = (sections: readonly (readonly string[])[]) => writeSdp({ id, version: ++version, address }, sections)

  /** The last agreement. */
  let last: Agreement | undefined

  /**
   * @param isAnswering the own key has the tag of the one in the offer
   * @param before the last agreement on the stream
   */
  function agreeOn(
    theirs: RtpSection,
    key: SdesKey,
    isAnswering: boolean,
    before: RtpAgreement | undefined,
  ): RtpAgreement {
    const { address, port, rtcpPort, isMuxed, direction, dtls } = theirs
    // Of a choice, the peer begins: relays do so with their offer, and would take a beginning of this side for an error.
    const isClient = dtls?.setup === 'actpass' ? before?.dtls?.isClient === true : dtls?.setup === 'passive'
    return {
      ...{ address, port, rtcpPort },
      isMuxed: isMuxed && dtls !== undefined, // this side neither offers nor answers it otherwise
      receives: wanted === 'sendrecv' && /send/.test(direction),
      keys: theirs.key && { own: { ...key, tag: isAnswering ? theirs.key.tag : key.tag }, other: theirs.key },
      dtls: dtls && { isClient, fingerprint: dtls.fingerprint },
    }
  }
  /** Returns the lines that protect a section of this side in an answer. */
  const protectionOf = ({ isMuxed, keys, dtls }: RtpAgreement): Pick<RtpSection, 'isMuxed' | 'key' | 'dtls'> => ({
    isMuxed,
    key: keys?.own,
    dtls: dtls && { fingerprint: ownFingerprint ?? '', setup: dtls.isClient ? 'active' : 'passive' },
  })
  function formatIn({ formats }: AudioDescription): AudioFormat {
    const format = formats.find(({ codec }) => codecs.includes(codec))
    if (!format) throw new Error(NOTHING_COMMON)
    return format
  }
  function agree(
    theirs: AudioDescription,
    format: AudioFormat,
    video: VideoDescription | undefined,
    isAnswering = false,
  ): Agreement {
    last = {
      ...agreeOn(theirs, ownKey, isAnswering, last),
      format,
      digits: digitsFor(theirs, format),
      sends: wanted !== 'inactive' && /recv/.test(theirs.direction),
      video: video && {
        ...agreeOn(video, ownVideoKey, isAnswering, last?.video),
        formats: video.formats,
        keyframeRequest: video.keyframeRequest,
      },
    }
    return last
  }
  /** Returns the video of a section; undefined if it is refused or cannot be used. */
  function videoIn(
    section: SdpMedia | undefined,
    isAcceptable: (section: RtpSection) => boolean,
  ): VideoDescription | undefined {
    if (!section || section.port === 0 || videoPort === undefined) return undefined
    try {
      const theirs = readVideo(section, secure)
      return isAcceptable(theirs) ? theirs : undefined
    } catch {
      return undefined // the call continues without
    }
  }
  function offerOf(slot: Slot, direction: typeof wanted): readonly string[] {
    if (slot !== 'audio' && slot !== 'video') return slot
    const encryption = encryptions[slot]
    const protection = {
      protocol: protocolOf(encryption),
      isMuxed: encryption === 'dtls',
      key: encryption === 'sdes' ? (slot === 'audio' ? ownKey : ownVideoKey) : undefined,
      dtls: encryption === 'dtls' ? ({ fingerprint: ownFingerprint ?? '', setup: 'actpass' } as const) : undefined,
    }
    if (slot === 'video') {
      const seen = direction === 'sendrecv' ? 'recvonly' : 'inactive'
      return writeVideo({ port: videoPort ?? 0, formats: offeredVideo, direction: seen, ...protection })
    }
    const formats = codecs.map((codec) => ({ codec, payloadType: OFFERED[codec] }))
    const rates = new Set(codecs.map((codec) => RATES[codec]))
    const digits = new Map([...OFFERED_DIGITS].filter(([rate]) => rates.has(rate)))
    return writeAudio({ port, formats, digits, direction, ...protection })
  }

  return {
    offer(direction) {
      wanted = direction
      return write(slots.map((slot) => offerOf(slot, direction)))
    },
    accept(answer) {
      const sections = readSdp(answer)
      const theirs = readAudio(audioOf(sections), secure)
      if (encryptionOf(theirs.protocol) !== encryptions.audio)
        throw new Error(`The other side answers with ${theirs.protocol}, which was not offered.`)
      const format = formatIn(theirs)
      const video = videoIn(
        sections[slots.indexOf('video')],
        ({ protocol }) => encryptionOf(protocol) === encryptions.video,
      )
      if (!video) slots = slots.map((slot) => (slot === 'video' ? REFUSED_VIDEO : slot))
      return agree(theirs, format, video)
    },
    answer(offer, fingerprint) {
      const sections = readSdp(offer)
      const audio = audioOf(sections)
      const theirs = readAudio(audio, secure)
      if (theirs.dtls && !fingerprint) throw new Error('DTLS cannot be used.')
      const seen = sections.find(({ kind, port }) => kind === 'video' && port > 0)
      const video = videoIn(seen, ({ dtls }) => !dtls || fingerprint !== undefined)
      const format = formatIn(theirs)
      wanted = 'sendrecv'
      ownFingerprint = fingerprint ?? ownFingerprint
      const agreement = agree(theirs, format, video, true)
      slots = sections.map((section) =>
        section === audio ? 'audio' : section === seen && video ? 'video' : refuseMedia(section),
      )
      const digits = new Map(agreement.digits && [[agreement.digits.rate, agreement.digits.payloadType]])
      const { protocol } = theirs
      encryptions = {
        audio: encryptionOf(protocol) ?? encryptions.audio,
        video: (video && encryptionOf(video.protocol)) ?? encryptions.video,
      }
      const direction = REVERSED[theirs.direction]
      const own = { port, formats: [format], digits, direction, protocol, ...protectionOf(agreement) }
      return { answer: write(slots.map((slot) => answerOf(slot, own, video, agreement.video))), agreement }
    },
  }

  function answerOf(
    slot: Slot,
    audio: Parameters<typeof writeAudio>[0],
    video: VideoDescription | undefined,
    agreed: VideoAgreement | undefined,
  ): readonly string[] {
    if (slot === 'audio') return writeAudio(audio)
    if (slot !== 'video' || !video) return slot === 'video' ? REFUSED_VIDEO : slot
    const direction = agreed?.receives ? 'recvonly' : 'inactive'
    return writeVideo({ ...video, port: videoPort ?? 0, direction, ...(agreed && protectionOf(agreed)) })
  }
}

function digitsFor({ digits }: AudioDescription, { codec }: AudioFormat): Agreement['digits'] {
  const rate = [RATES[codec], 8_000].find((known) => digits.has(known))
  const payloadType = rate && digits.get(rate)
  return payloadType === undefined || rate === undefined ? undefined : { payloadType, rate }
}

const REFUSED_VIDEO = ['m=video 0 RTP/AVP 97']

const NOTHING_COMMON = 'The other side supports neither Opus nor G.711.'

function audioOf(sections: readonly SdpMedia[]): SdpMedia {
  const audio = sections.find(({ kind, port }) => kind === 'audio' && port > 0)
  if (!audio) throw new Error('The other side refuses audio.')
  return audio
}
