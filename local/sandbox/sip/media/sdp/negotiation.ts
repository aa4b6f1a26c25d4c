import { type CodecName, codecNames } from '../codecs/create-codec.ts'
import { type AudioDescription, type AudioFormat, readAudio, refuseMedia, writeAudio } from './audio.ts'
import { createSdesKey, type SdesKey } from './sdes.ts'
import { type Direction, readSdp, type SdpMedia, writeSdp } from './sdp.ts'

/** Outcome of an offer and its answer. */
export interface Agreement {
  /** Destination until packets arrive from another one. */
  readonly address: string
  readonly port: number
  readonly rtcpPort: number
  readonly format: AudioFormat
  /**
   * Payload type of digits, and the rate of their durations: some phones use 8 kHz beside Opus. Absent if the other side does not
   * take them.
   */
  readonly digits: { readonly payloadType: number; readonly rate: number } | undefined
  /** What may be sent and is received. */
  readonly sends: boolean
  readonly receives: boolean
  /** Keys of what is sent and received; absent without encryption. */
  readonly keys: { readonly own: SdesKey; readonly other: SdesKey } | undefined
}

/** Offers and answers of one call (RFC 3264). */
export interface Negotiation {
  /** @param direction what this side wants */
  offer(direction: Exclude<Direction, 'recvonly'>): string
  /** @throws Error for an answer that cannot be used: what was agreed before still holds */
  accept(answer: string): Agreement
  /** @throws Error for an offer that cannot be answered: what was agreed before still holds */
  answer(offer: string): { readonly answer: string; readonly agreement: Agreement }
}

/** Payload types in an own offer. */
const OFFERED: Readonly<Record<CodecName, number>> = { 'opus/48000/2': 96, 'PCMU/8000': 0, 'PCMA/8000': 8 }
const OFFERED_DIGITS = new Map([
  [8_000, 101],
  [48_000, 102],
])
const RATES: Readonly<Record<CodecName, number>> = { 'opus/48000/2': 48_000, 'PCMU/8000': 8_000, 'PCMA/8000': 8_000 }
const REVERSED = { sendrecv: 'sendrecv', sendonly: 'recvonly', recvonly: 'sendonly', inactive: 'inactive' } as const

export function createNegotiation({
  address,
  port,
  secure,
  random,
  codecs = codecNames,
}: {
  address: string
  port: number
  secure: boolean
  random: (bytes: number) => Buffer
  /** In the order of preference. @default all */
  codecs?: readonly CodecName[] | undefined
}): Negotiation {
  const id = random(4).readUInt32BE()
  const ownKey = createSdesKey(random)
  let version = 0
  let wanted: Exclude<Direction, 'recvonly'> = 'sendrecv'
  const write = (sections: readonly (readonly string[])[]) => writeSdp({ id, version: ++version, address }, sections)

  /** @param own the tag of the own key, which is that of an offer in its answer */
  function agree(theirs: AudioDescription, format: AudioFormat, tag = ownKey.tag): Agreement {
    return {
      address: theirs.address,
      port: theirs.port,
      rtcpPort: theirs.rtcpPort,
      format,
      digits: digitsFor(theirs, format),
      sends: wanted !== 'inactive' && /recv/.test(theirs.direction),
      receives: wanted === 'sendrecv' && /send/.test(theirs.direction),
      keys: theirs.key && { own: { ...ownKey, tag }, other: theirs.key },
    }
  }

  return {
    offer(direction) {
      wanted = direction
      const formats = codecs.map((codec) => ({ codec, payloadType: OFFERED[codec] }))
      const rates = new Set(codecs.map((codec) => RATES[codec]))
      const digits = new Map([...OFFERED_DIGITS].filter(([rate]) => rates.has(rate)))
      const protection = secure ? { protocol: 'RTP/SAVP', key: ownKey } : { protocol: 'RTP/AVP', key: undefined }
      return write([writeAudio({ port, formats, digits, direction, ...protection })])
    },
    accept(answer) {
      const theirs = readAudio(audioOf(readSdp(answer)), secure)
      if (!secure && theirs.key) throw new Error('The other side answers with SRTP, which was not offered.')
      const format = theirs.formats.find(({ codec }) => codecs.includes(codec))
      if (!format) throw new Error(NOTHING_COMMON)
      return agree(theirs, format)
    },
    answer(offer) {
      const sections = readSdp(offer)
      const audio = audioOf(sections)
      const theirs = readAudio(audio, secure)
      const format = theirs.formats.find(({ codec }) => codecs.includes(codec))
      if (!format) throw new Error(NOTHING_COMMON)
      wanted = 'sendrecv'
      const agreement = agree(theirs, format, theirs.key?.tag)
      const digits = new Map(agreement.digits && [[agreement.digits.rate, agreement.digits.payloadType]])
      const { protocol } = theirs
      const key = agreement.keys?.own
      const own = { port, formats: [format], digits, direction: REVERSED[theirs.direction], protocol, key }
      return {
        answer: write(sections.map((section) => (section === audio ? writeAudio(own) : refuseMedia(section)))),
        agreement,
      }
    },
  }
}

function digitsFor({ digits }: AudioDescription, { codec }: AudioFormat): Agreement['digits'] {
  const rate = [RATES[codec], 8_000].find((known) => digits.has(known))
  const payloadType = rate && digits.get(rate)
  return payloadType === undefined || rate === undefined ? undefined : { payloadType, rate }
}

const NOTHING_COMMON = 'The other side supports neither Opus nor G.711.'

function audioOf(sections: readonly SdpMedia[]): SdpMedia {
  const audio = sections.find(({ kind, port }) => kind === 'audio' && port > 0)
  if (!audio) throw new Error('The other side refuses audio.')
  return audio
}
