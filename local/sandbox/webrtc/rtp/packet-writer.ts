import type { RTCDtlsTransport, RTCRtpSender, RtpPacket } from 'werift'
import { createEncryptor, type Encryptor } from './encryptor.ts'

type Werift = Pick<typeof import('werift'), 'RtpHeader' | 'RtpPacket'>

/** Packets that can be sent again, as many as the library keeps. */
const HISTORY = 128
const FIXED_HEADER = 12
/** Profile of header extensions that are preceded by a byte each (RFC 8285, 4.2). */
const ONE_BYTE = 0xbede
/** The only header extension that is sent: it names the section of the SDP. */
const MID = 'urn:ietf:params:rtp-hdrext:sdes:mid'

/** State of a sender that the types of the library do not show. It makes reports and retransmissions of it. */
interface SenderState {
  readonly headerExtensions: readonly { readonly id: number; readonly uri: string }[]
  readonly mid?: string
  ntpTimestamp: bigint
  rtpTimestamp: number
  octetCount: number
  packetCount: number
  headerBytesSent: number
  rtpCache: Pick<RtpPacket, 'header' | 'payload'>[]
}

/** Socket of a peer, which the types of the library do not show. */
interface Pair {
  readonly remoteAddr: readonly [host: string, port: number]
  readonly protocol: {
    readonly transport: { readonly closed: boolean; readonly socket: import('node:dgram').Socket }
  }
}

/** Sends packets by a sender of the library. */
export interface PacketWriter {
  /**
   * Sends a packet with the payload type and the SSRC of the sender, once its peer is connected.
   * @param ntpTime when its media was captured; sender reports contain it
   */
  write(packet: RtpPacket, ntpTime: bigint): void
}

/**
 * Creates a writer, which does what `sendRtp` of the library does. That copies each header several times, creates a cipher for
 * each packet, and waits for six promises.
 */
export function createPacketWriter(werift: Werift, sender: RTCRtpSender): PacketWriter {
  const state = sender as unknown as SenderState
  const { ssrc } = sender
  let encryptor: Encryptor | undefined
  /** Header of the last packet. Only some of its fields differ in the next one. */
  let header: Buffer | undefined
  let isReporting = false

  return {
    write({ header: { sequenceNumber, timestamp, marker }, payload }, ntpTime) {
      const { codec, dtlsTransport } = sender
      if (sender.stopped || !codec || dtlsTransport?.state !== 'connected') return
      const { payloadType } = codec
      header ??= headerOf(ssrc, state)
      encryptor ??= createEncryptor(dtlsTransport.srtp, ssrc)
      header[1] = payloadType | (marker ? 0x80 : 0)
      header.writeUInt16BE(sequenceNumber, 2)
      header.writeUInt32BE(timestamp, 4)
      send(dtlsTransport, encryptor.encrypt(header, payload, sequenceNumber))

      state.ntpTimestamp = ntpTime
      state.rtpTimestamp = timestamp
      state.octetCount += payload.length
      state.packetCount = (state.packetCount + 1) >>> 0
      state.headerBytesSent += header.length
      state.rtpCache[sequenceNumber % HISTORY] = {
        payload,
        get header() {
          const extensions = midOf(state)
          return new werift.RtpHeader({ ssrc, payloadType, sequenceNumber, timestamp, marker, extensions })
        },
      }
      if (isReporting) return
      isReporting = true
      void sender.runRtcp()
    },
  }
}

const midOf = ({ headerExtensions, mid }: SenderState) =>
  headerExtensions.flatMap(({ id, uri }) => (uri === MID && mid ? [{ id, payload: Buffer.from(mid) }] : []))

/** Returns a header without what differs between packets (RFC 3550, 5.1), with the extension that names the section. */
function headerOf(ssrc: number, state: SenderState): Buffer {
  const [extension] = midOf(state)
  const words = extension ? Math.ceil((1 + extension.payload.length) / 4) : 0
  const header = Buffer.alloc(FIXED_HEADER + (extension ? 4 + 4 * words : 0))
  header[0] = 0x80 | (extension ? 0x10 : 0)
  header.writeUInt32BE(ssrc, 8)
  if (!extension) return header
  header.writeUInt16BE(ONE_BYTE, 12)
  header.writeUInt16BE(words, 14)
  header[16] = (extension.id << 4) | (extension.payload.length - 1)
  header.set(extension.payload, 17)
  return header
}

function send(transport: RTCDtlsTransport, packet: Buffer): void {
  transport.bytesSent += packet.length
  transport.packetsSent++
  const pair = transport.iceTransport.connection.nominated as unknown as Pair | undefined
  if (!pair || pair.protocol.transport.closed) return
  const [host, port] = pair.remoteAddr
  pair.protocol.transport.socket.send(packet, port, host)
}
