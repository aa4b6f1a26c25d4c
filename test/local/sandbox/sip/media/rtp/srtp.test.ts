import { describe, expect, it } from 'vitest'
import { SrtcpSession, SrtpSession } from 'werift'
import { writeRtp } from '../../../../../../local/sandbox/sip/media/rtp/rtp-packet.ts'
import { createSrtpProtector, createSrtpReceiver } from '../../../../../../local/sandbox/sip/media/rtp/srtp.ts'

// Of RFC 3711, B.3.
const master = {
  key: Buffer.from('E1F97A0D3E018BE0D64FA32C06DE4139', 'hex'),
  salt: Buffer.from('0EC675AD498AFEEBB6960B3AABE6', 'hex'),
}
const packet = (sequence: number, payload = 'one block of audio') =>
  writeRtp({
    payloadType: 0,
    marker: false,
    sequence,
    timestamp: 160 * sequence,
    ssrc: 7,
    payload: Buffer.from(payload),
  })
const report = Buffer.from('80c9000100000007', 'hex')
/** A library of its own as the other side. */
const peer = {
  keys: {
    localMasterKey: master.key,
    localMasterSalt: master.salt,
    remoteMasterKey: master.key,
    remoteMasterSalt: master.salt,
  },
  profile: 1, // SRTP_AES128_CM_HMAC_SHA1_80
} as const

describe('createSrtpReceiver', () => {
  it('opens what another library has protected, past the rollover of the sequence numbers', () => {
    const other = new SrtpSession(peer)
    const receiver = createSrtpReceiver(master)
    for (const sequence of [65_533, 65_534, 65_535, 0, 1]) {
      const plain = packet(sequence)
      const { readRtp: _, ...header } = headerOf(plain)
      expect(receiver.rtp(other.encrypt(plain.subarray(12), header as never))).toEqual(plain)
    }
    expect(receiver.rtcp(new SrtcpSession(peer).encrypt(report))).toEqual(report)
  })
  it('refuses what is repeated, changed, short or under another key', () => {
    const sent = createSrtpProtector(master).rtp(packet(1))
    const receiver = createSrtpReceiver(master)
    const changed = Buffer.from(sent)
    changed.writeUInt8(changed.readUInt8(15) ^ 1, 15)
    const otherKey = createSrtpReceiver({ ...master, key: Buffer.alloc(16) })
    expect([changed, sent.subarray(0, 20), Buffer.alloc(0)].map((bytes) => receiver.rtp(bytes))).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(otherKey.rtp(sent)).toBeUndefined()
    expect(receiver.rtp(sent)).toEqual(packet(1))
    expect(receiver.rtp(sent)).toBeUndefined()
  })
  it('opens packets that overtook each other, each once', () => {
    const protector = createSrtpProtector(master)
    const [one, two, three] = [1, 2, 3].map((sequence) => protector.rtp(packet(sequence))) as [Buffer, Buffer, Buffer]
    const receiver = createSrtpReceiver(master)
    expect([three, one, two, one].map((bytes) => receiver.rtp(bytes)?.readUInt16BE(2))).toEqual([3, 1, 2, undefined])
  })
})

describe('createSrtpProtector', () => {
  it('protects what another library opens', () => {
    const protector = createSrtpProtector(master)
    const other = new SrtpSession(peer)
    for (const sequence of [65_534, 65_535, 0]) {
      const opened = other.decrypt(protector.rtp(packet(sequence)))
      expect(opened.subarray(12).toString()).toBe('one block of audio')
    }
    const sent = protector.rtcp(report)
    expect(new SrtcpSession(peer).decrypt(sent)).toEqual(report)
    expect(sent.includes('audio')).toBe(false)
  })
})

/** The header as that library takes it. */
function headerOf(bytes: Buffer) {
  return {
    readRtp: undefined,
    sequenceNumber: bytes.readUInt16BE(2),
    ssrc: bytes.readUInt32BE(8),
    payloadOffset: 12,
    serialize: () => bytes.subarray(0, 12),
    serializeSize: 12,
  }
}
