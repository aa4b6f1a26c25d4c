import { type DtlsDescription, readDtls, writeDtls } from './dtls.ts'
import { readSdes, type SdesKey, writeSdes } from './sdes.ts'
import { type Direction, directionOf, type SdpMedia, valuesOf } from './sdp.ts'

/** Encryption of a section: none, SRTP with keys in the SDP (RFC 4568), or with those of a handshake (RFC 5764). */
export type Encryption = 'none' | 'sdes' | 'dtls'

/** Destination and protection of the packets of a section. */
export interface RtpSection {
  readonly address: string
  readonly port: number
  readonly rtcpPort: number
  /** RTCP goes to the port of RTP (RFC 5761). */
  readonly isMuxed: boolean
  readonly direction: Direction
  readonly protocol: string
  readonly key: SdesKey | undefined
  readonly dtls: DtlsDescription | undefined
}

/** Protocols of RTP with each encryption, without and with feedback. */
const protocols: Readonly<Record<Encryption, readonly [string, string]>> = {
  none: ['RTP/AVP', 'RTP/AVPF'],
  sdes: ['RTP/SAVP', 'RTP/SAVPF'],
  dtls: ['UDP/TLS/RTP/SAVP', 'UDP/TLS/RTP/SAVPF'],
}

/** Returns the protocol of an offer. */
export const protocolOf = (encryption: Encryption) => protocols[encryption][0]

/** Returns the encryption of a protocol; undefined for one that is not supported. */
export const encryptionOf = (protocol: string) =>
  (Object.keys(protocols) as Encryption[]).find((each) => protocols[each].includes(protocol))

/**
 * Reads what a section of audio and one of video have in common.
 * @param secure true if it must be encrypted
 * @throws Error for a section that cannot be used
 */
export function readRtpSection(media: SdpMedia, secure: boolean): RtpSection {
  const encryption = encryptionOf(media.protocol)
  if (!encryption)
    throw new Error(`The other side wants ${media.protocol}, which is not supported: use RTP/AVP or SAVP.`)
  if (secure && encryption === 'none')
    throw new Error('The call must be encrypted, and the other side wants it without SRTP.')
  const key = encryption === 'sdes' ? readSdes(media) : undefined
  if (encryption === 'sdes' && !key) throw new Error('The other side gives no key of AES_CM_128_HMAC_SHA1_80 for SRTP.')
  const dtls = encryption === 'dtls' ? readDtls(media) : undefined
  if (encryption === 'dtls' && !dtls)
    throw new Error('The other side wants DTLS, and gives no setup or no fingerprint of SHA-256, SHA-384 or SHA-512.')
  if (!media.address || media.port === 0) throw new Error(`The other side refuses ${media.kind}.`)
  return {
    address: media.address,
    port: media.port,
    rtcpPort: Number.parseInt(valuesOf(media, 'rtcp')[0] ?? '', 10) || media.port + 1,
    isMuxed: media.attributes.includes('rtcp-mux'),
    direction: directionOf(media),
    protocol: media.protocol,
    key,
    dtls,
  }
}

/** Writes the attributes of a section that protect it, and its direction. */
export const writeProtection = ({
  isMuxed,
  key,
  dtls,
  direction,
}: Pick<RtpSection, 'isMuxed' | 'key' | 'dtls' | 'direction'>): string[] => [
  ...(isMuxed ? ['a=rtcp-mux'] : []),
  ...(key ? [writeSdes(key)] : []),
  ...(dtls ? writeDtls(dtls) : []),
  `a=${direction}`,
]
