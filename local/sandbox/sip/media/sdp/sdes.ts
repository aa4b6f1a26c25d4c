import type { SrtpKey } from '../srtp-key.ts'
import { type SdpMedia, valuesOf } from './sdp.ts'

/** An offered or answered key of SRTP (RFC 4568). */
export interface SdesKey extends SrtpKey {
  readonly tag: string
}

const SUITE = 'AES_CM_128_HMAC_SHA1_80'
const KEY_BYTES = 16
const SALT_BYTES = 14

/** Returns the first key of the suite that is supported; undefined without one. Keys that change within a call are not. */
export function readSdes(media: SdpMedia): SdesKey | undefined {
  for (const value of valuesOf(media, 'crypto')) {
    const [, tag, inline, lifetimeOrMki] = PATTERN.exec(value) ?? []
    if (!tag || !inline || lifetimeOrMki?.includes(':')) continue // an identifier of the key would be in each packet
    const bytes = Buffer.from(inline, 'base64')
    if (bytes.length === KEY_BYTES + SALT_BYTES)
      return { tag, key: bytes.subarray(0, KEY_BYTES), salt: bytes.subarray(KEY_BYTES) }
  }
  return undefined
}

const PATTERN = new RegExp(String.raw`^(\d{1,9}) ${SUITE} inline:([A-Za-z0-9+/]+=*)((?:\|[^\s;|]+)*)\s*$`)

/** Writes the attribute of a key. */
export const writeSdes = ({ tag, key, salt }: SdesKey) =>
  `a=crypto:${tag} ${SUITE} inline:${Buffer.concat([key, salt]).toString('base64')}`

/** Creates a key. */
export function createSdesKey(random: (bytes: number) => Buffer, tag = '1'): SdesKey {
  return { tag, key: random(KEY_BYTES), salt: random(SALT_BYTES) }
}
