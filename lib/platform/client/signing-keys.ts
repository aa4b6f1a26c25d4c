import type { CryptoKey } from 'jose'
/**
 * Makes a function that imports a secret for signing by HS256 and keeps the last key: every attempt signs with the same
 * secret until it is replaced, and importing costs half as much as signing.
 */
export function createSigningKeys(): (secret: string) => Promise<CryptoKey> {
  let last: { readonly secret: string; readonly key: Promise<CryptoKey> } | undefined
  return (secret) => {
    if (last?.secret !== secret) last = { secret, key: importKey(secret) }
    return last.key
  }
}

const importKey = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', new TextEncoder().encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
