import { describe, expect, it } from 'vitest'
import { RtpHeader, SrtpSession } from 'werift'
import { createEncryptor } from '../../../../../local/sandbox/webrtc/rtp/encryptor.ts'
import { useKeyObjects } from '../../../../../local/sandbox/webrtc/rtp/srtp-keys.ts'

const SSRC = 0x89abcdef

/** Opens the sessions of a sender and its receiver, each by the library. */
function openSessions(profile: 1 | 7) {
  const side = (value: number) => ({ key: Buffer.alloc(16, value), salt: Buffer.alloc(profile === 7 ? 12 : 14, value) })
  const session = (local: ReturnType<typeof side>, remote: ReturnType<typeof side>) => {
    const local_ = { localMasterKey: local.key, localMasterSalt: local.salt }
    return new SrtpSession({ keys: { ...local_, remoteMasterKey: remote.key, remoteMasterSalt: remote.salt }, profile })
  }
  return {
    sender: session(side(1), side(2)),
    reference: session(side(1), side(2)),
    receiver: session(side(2), side(1)),
  }
}

describe('createEncryptor', () => {
  it.each([
    ['AES_CM_128_HMAC_SHA1_80', 1, 'bytes'],
    ['AES_CM_128_HMAC_SHA1_80', 1, 'key objects'],
    ['AEAD_AES_128_GCM', 7, 'bytes'],
    ['AEAD_AES_128_GCM', 7, 'key objects'],
  ] as const)('encrypts by %s (%d) with %s what the library does, which decrypts it', (_, profile, keys) => {
    const { sender, reference, receiver } = openSessions(profile)
    if (keys === 'key objects') useKeyObjects({ srtp: sender, srtcp: sender as never })
    const encryptor = createEncryptor(sender, SSRC)
    // Sequence numbers begin again, and one packet is late: the rollover counter must follow.
    for (const [index, sequenceNumber] of [65_533, 65_534, 65_535, 0, 1, 65_532, 2].entries()) {
      const payload = Buffer.from(Array.from({ length: [0, 1, 15, 16, 17, 1_150, 80][index] ?? 0 }, (__, at) => at * 7))
      const header = new RtpHeader({
        ssrc: SSRC,
        sequenceNumber,
        timestamp: 90 * index,
        payloadType: 96,
        marker: index % 2 > 0,
      })
      const packet = encryptor.encrypt(header.serialize(header.serializeSize), payload, sequenceNumber)
      expect(packet).toEqual(reference.encrypt(payload, header))
      expect(receiver.decrypt(packet).subarray(12)).toEqual(payload)
    }
  })
})
