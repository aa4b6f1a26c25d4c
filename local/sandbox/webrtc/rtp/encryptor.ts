import { createCipheriv, hash, type KeyObject } from 'node:crypto'
import type { SrtpSession } from 'werift'

/** Protection profile AEAD_AES_128_GCM (RFC 7714). Any other is AES_CM_128_HMAC_SHA1_80 (RFC 3711). */
const GCM = 7
const AES_BLOCK = 16
const SHA1_BLOCK = 64

/** Keys of a session in one direction, as the library derives them. */
interface Keys {
  readonly srtpSessionKey: KeyObject | Buffer
  readonly srtpSessionSalt: Buffer
  /** Key of HMAC; absent with GCM. */
  readonly srtpSessionAuthTag?: KeyObject | Buffer
}

/**
 * Returns a packet: the header, the encrypted payload and a tag (SRTP).
 * @param rollover how often the sequence numbers have begun again
 */
type Seal = (header: Buffer, payload: Buffer, sequence: number, rollover: number) => Buffer

/** Encrypts the packets of one SSRC. */
export interface Encryptor {
  encrypt(header: Buffer, payload: Buffer, sequence: number): Buffer
}

/** Creates the encryptor of packets that a session sends. It shares the session's rollover counter with the library. */
export function createEncryptor({ localContext }: Pick<SrtpSession, 'localContext'>, ssrc: number): Encryptor {
  const state = localContext.getSrtpSsrcState(ssrc)
  const seal = (localContext.profile === GCM ? createGcm : createCounterMode)(localContext.cipher, ssrc)
  return {
    encrypt(header, payload, sequence) {
      localContext.updateRolloverCount(sequence, state)
      return seal(header, payload, sequence, state.rolloverCounter)
    },
  }
}

function createGcm({ srtpSessionKey, srtpSessionSalt: salt }: Keys, ssrc: number): Seal {
  const nonce = Buffer.alloc(12)
  return (header, payload, sequence, rollover) => {
    nonce.writeUInt16BE(0, 0)
    nonce.writeUInt32BE(ssrc, 2)
    nonce.writeUInt32BE(rollover, 6)
    nonce.writeUInt16BE(sequence, 10)
    combine(nonce, salt)
    const cipher = createCipheriv('aes-128-gcm', srtpSessionKey, nonce).setAAD(header)
    const encrypted = cipher.update(payload)
    cipher.final()
    return Buffer.concat([header, encrypted, cipher.getAuthTag()])
  }
}

/**
 * AES in counter mode, and HMAC. One cipher encrypts the counters of all packets (ECB, which is what counter mode does with them),
 * and HMAC is two hashes: to create a cipher and an HMAC for a packet takes longer than to use them.
 */
function createCounterMode({ srtpSessionKey, srtpSessionSalt: salt, srtpSessionAuthTag }: Keys, ssrc: number): Seal {
  const cipher = createCipheriv('aes-128-ecb', srtpSessionKey, null).setAutoPadding(false)
  const authentication = bytesOf(srtpSessionAuthTag)
  const inner = combine(Buffer.alloc(SHA1_BLOCK, 0x36), authentication)
  const outer = Buffer.alloc(SHA1_BLOCK + 20)
  combine(outer.fill(0x5c, 0, SHA1_BLOCK), authentication)
  const first = Buffer.alloc(AES_BLOCK)
  let counters = Buffer.alloc(0)

  function keyStream(length: number, sequence: number, rollover: number): Buffer {
    const size = Math.ceil(length / AES_BLOCK) * AES_BLOCK
    if (counters.length < size) counters = Buffer.alloc(2 * size)
    first.writeUInt32BE(0, 0)
    first.writeUInt32BE(ssrc, 4)
    first.writeUInt32BE(rollover, 8)
    first.writeUInt16BE(sequence, 12)
    combine(first, salt)
    for (let at = 0; at < size; at += AES_BLOCK) {
      counters.set(first, at)
      counters.writeUInt16BE(at / AES_BLOCK, at + 14)
    }
    return cipher.update(counters.subarray(0, size))
  }
  return (header, payload, sequence, rollover) => {
    // HMAC hashes its padded key, the packet and the rollover counter, which the tag then replaces.
    const whole = Buffer.allocUnsafe(SHA1_BLOCK + header.length + payload.length + 10)
    whole.set(inner)
    whole.set(header, SHA1_BLOCK)
    const from = SHA1_BLOCK + header.length
    const key = keyStream(payload.length, sequence, rollover)
    for (let at = 0; at < payload.length; at++) whole[from + at] = (payload[at] as number) ^ (key[at] as number)
    const end = whole.writeUInt32BE(rollover, from + payload.length)
    outer.set(hash('sha1', whole.subarray(0, end), 'buffer'), SHA1_BLOCK)
    whole.set(hash('sha1', outer, 'buffer').subarray(0, 10), from + payload.length)
    return whole.subarray(SHA1_BLOCK)
  }
}

const bytesOf = (key: KeyObject | Buffer = Buffer.alloc(0)): Buffer => (Buffer.isBuffer(key) ? key : key.export())

/** Combines the bytes of a buffer with those of another one (XOR), and returns it. */
function combine(to: Buffer, from: Buffer): Buffer {
  for (let at = 0; at < from.length; at++) to[at] = (to[at] as number) ^ (from[at] as number)
  return to
}
