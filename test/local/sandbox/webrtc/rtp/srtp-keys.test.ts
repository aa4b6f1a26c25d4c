import { KeyObject } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { RtpHeader, SrtcpSession, SrtpSession } from 'werift'
import { useKeyObjects } from '../../../../../local/sandbox/webrtc/rtp/srtp-keys.ts'

/** Opens the sessions of one side. The keys of the two sides are exchanged. */
function openSide(profile: 1 | 7, isFirst: boolean) {
  const key = (value: number) => ({ key: Buffer.alloc(16, value), salt: Buffer.alloc(profile === 7 ? 12 : 14, value) })
  const [local, remote] = isFirst ? [key(1), key(2)] : [key(2), key(1)]
  const keys = {
    ...{ localMasterKey: local.key, localMasterSalt: local.salt },
    ...{ remoteMasterKey: remote.key, remoteMasterSalt: remote.salt },
  }
  return { srtp: new SrtpSession({ keys, profile }), srtcp: new SrtcpSession({ keys, profile }) }
}

describe('useKeyObjects', () => {
  it.each([
    ['AES_CM_128_HMAC_SHA1_80', 1],
    ['AEAD_AES_128_GCM', 7],
  ] as const)('lets packets of %s be exchanged with a side that uses bytes', (_, profile) => {
    const [own, other] = [openSide(profile, true), openSide(profile, false)]
    useKeyObjects(own)
    expect(own.srtp.remoteContext.cipher.srtpSessionKey).toBeInstanceOf(KeyObject)
    expect(own.srtcp.localContext.cipher.srtcpSessionKey).toBeInstanceOf(KeyObject)
    const payload = Buffer.from('a payload of some bytes')
    const report = Buffer.from('80c90001000000010000000000000000', 'hex')
    for (const [from, to] of [[own, other] as const, [other, own] as const]) {
      const header = new RtpHeader({ ssrc: 5, sequenceNumber: 100, payloadType: 96 })
      expect(to.srtp.decrypt(from.srtp.encrypt(payload, header)).subarray(12)).toEqual(payload)
      expect(to.srtcp.decrypt(from.srtcp.encrypt(report))).toEqual(report)
    }
  })
})
