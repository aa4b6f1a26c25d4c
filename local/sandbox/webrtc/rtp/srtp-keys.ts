import { createSecretKey } from 'node:crypto'
import type { RTCDtlsTransport } from 'werift'

/**
 * Replaces the session keys of SRTP by key objects. Node 24 takes 10 µs to check a key of bytes, and the library creates
 * a cipher for each packet.
 */
export function useKeyObjects({ srtp, srtcp }: Pick<RTCDtlsTransport, 'srtp' | 'srtcp'>): void {
  for (const { cipher } of [srtp.localContext, srtp.remoteContext, srtcp.localContext, srtcp.remoteContext])
    for (const name of KEYS) {
      const keys: { [Name in (typeof KEYS)[number]]?: unknown } = cipher
      const key = keys[name]
      if (Buffer.isBuffer(key)) keys[name] = createSecretKey(key)
    }
}

/** Keys of ciphers, and those of HMAC in AES_CM_128_HMAC_SHA1_80. */
const KEYS = ['srtpSessionKey', 'srtcpSessionKey', 'srtpSessionAuthTag', 'srtcpSessionAuthTag'] as const
