import { createCipheriv, createHmac, timingSafeEqual } from 'node:crypto'
import type { SrtpKey } from '../srtp-key.ts'
import { headerBytesOf } from './rtp-packet.ts'

/** Packets of one direction under one key, with AES_CM_128_HMAC_SHA1_80. */
export interface SrtpProtector {
  rtp(packet: Buffer): Buffer
  rtcp(packet: Buffer): Buffer
}

/** The same for received packets: undefined is one that is forged, damaged or repeated. */
export interface SrtpReceiver {
  rtp(packet: Buffer): Buffer | undefined
  rtcp(packet: Buffer): Buffer | undefined
}

const TAG_BYTES = 10
const INDEX_BYTES = 4
const ENCRYPTED = 0x8000_0000
/** Bytes of an RTCP packet that are not encrypted: its header and its SSRC. */
const RTCP_HEADER_BYTES = 8
/** Packets before the newest whose repetition is detected. */
const WINDOW = 64n

interface SessionKeys {
  readonly cipher: Buffer
  readonly authentication: Buffer
  readonly salt: Buffer
}

/** Creates what protects sent packets (RFC 3711, 3.3). Their sequence numbers follow one another. */
export function createSrtpProtector(master: SrtpKey): SrtpProtector {
  const keys = { rtp: derive(master, 0), rtcp: derive(master, 3) }
  let rollovers = 0
  let last: number | undefined
  let rtcpIndex = 0
  return {
    rtp(packet) {
      const header = headerBytesOf(packet) as number
      const sequence = packet.readUInt16BE(2)
      if (last !== undefined && sequence < last) rollovers++
      last = sequence
      const index = (BigInt(rollovers) << 16n) | BigInt(sequence)
      const payload = encrypt(keys.rtp, packet.readUInt32BE(8), index, packet.subarray(header))
      const whole = Buffer.concat([packet.subarray(0, header), payload])
      return Buffer.concat([whole, tagOf(keys.rtp, whole, numberBytes(rollovers))])
    },
    rtcp(packet) {
      rtcpIndex = (rtcpIndex + 1) % ENCRYPTED
      const payload = encrypt(keys.rtcp, packet.readUInt32BE(4), BigInt(rtcpIndex), packet.subarray(RTCP_HEADER_BYTES))
      const index = numberBytes(ENCRYPTED + rtcpIndex)
      const whole = Buffer.concat([packet.subarray(0, RTCP_HEADER_BYTES), payload, index])
      return Buffer.concat([whole, tagOf(keys.rtcp, whole)])
    },
  }
}

/** Creates what opens received packets of one sender. */
export function createSrtpReceiver(master: SrtpKey): SrtpReceiver {
  const keys = { rtp: derive(master, 0), rtcp: derive(master, 3) }
  const rtpSeen = createReplayWindow()
  const rtcpSeen = createReplayWindow()
  return {
    rtp(packet) {
      const header = headerBytesOf(packet)
      const end = packet.length - TAG_BYTES
      if (header === undefined || end < header) return undefined
      const index = nearestIndex(packet.readUInt16BE(2), rtpSeen.newest)
      const whole = packet.subarray(0, end)
      const tag = tagOf(keys.rtp, whole, numberBytes(Number(index >> 16n)))
      if (!timingSafeEqual(tag, packet.subarray(end)) || !rtpSeen.accept(index)) return undefined
      const payload = encrypt(keys.rtp, packet.readUInt32BE(8), index, whole.subarray(header))
      return Buffer.concat([packet.subarray(0, header), payload])
    },
    rtcp(packet) {
      const end = packet.length - TAG_BYTES
      const indexPlace = end - INDEX_BYTES
      if (indexPlace < RTCP_HEADER_BYTES) return undefined
      const whole = packet.subarray(0, end)
      if (!timingSafeEqual(tagOf(keys.rtcp, whole), packet.subarray(end))) return undefined
      const word = packet.readUInt32BE(indexPlace)
      const index = BigInt(word % ENCRYPTED)
      if (!rtcpSeen.accept(index)) return undefined
      const payload = packet.subarray(RTCP_HEADER_BYTES, indexPlace)
      const opened = word >= ENCRYPTED ? encrypt(keys.rtcp, packet.readUInt32BE(4), index, payload) : payload
      return Buffer.concat([packet.subarray(0, RTCP_HEADER_BYTES), opened])
    },
  }
}

/** Derives the session keys whose labels begin at `label` (RFC 3711, 4.3.1). The key derivation rate is 0. */
function derive(master: SrtpKey, label: number): SessionKeys {
  const generate = (offset: number, bytes: number) => {
    const start = Buffer.alloc(16)
    master.salt.copy(start)
    start.writeUInt8(start.readUInt8(7) ^ (label + offset), 7)
    return createCipheriv('aes-128-ctr', master.key, start).update(Buffer.alloc(bytes))
  }
  return { cipher: generate(0, 16), authentication: generate(1, 20), salt: generate(2, 14) }
}

/** Encrypts or decrypts, which is the same in counter mode (RFC 3711, 4.1.1). */
function encrypt({ cipher, salt }: SessionKeys, ssrc: number, index: bigint, data: Buffer): Buffer {
  const counter = Buffer.alloc(16)
  counter.writeUInt32BE(ssrc, 4)
  counter.writeUIntBE(Number(index), 8, 6)
  for (const [place, byte] of salt.entries()) counter.writeUInt8(counter.readUInt8(place) ^ byte, place)
  return createCipheriv('aes-128-ctr', cipher, counter).update(data)
}

function tagOf({ authentication }: SessionKeys, ...data: readonly Buffer[]): Buffer {
  const hmac = createHmac('sha1', authentication)
  for (const part of data) hmac.update(part)
  return hmac.digest().subarray(0, TAG_BYTES)
}

/** Returns the index of a sequence number that is nearest to the newest one (RFC 3711, 3.3.1). */
function nearestIndex(sequence: number, newest: bigint | undefined): bigint {
  if (newest === undefined) return BigInt(sequence)
  const difference = ((sequence - Number(newest & 0xffffn) + 0x8000) & 0xffff) - 0x8000
  const index = newest + BigInt(difference)
  return index < 0n ? BigInt(sequence) : index
}

function createReplayWindow() {
  let newest: bigint | undefined
  /** The bit of each index before the newest, which has bit 0. */
  let seen = 0n
  return {
    get newest() {
      return newest
    },
    /** Returns false for an index that was accepted before, or is too old. */
    accept(index: bigint): boolean {
      if (newest === undefined || index > newest) {
        const shift = newest === undefined ? WINDOW : index - newest
        seen = shift >= WINDOW ? 1n : ((seen << shift) | 1n) & ((1n << WINDOW) - 1n)
        newest = index
        return true
      }
      const bit = 1n << (newest - index)
      if (newest - index >= WINDOW || (seen & bit) !== 0n) return false
      seen |= bit
      return true
    },
  }
}

function numberBytes(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
