import { type SdpMedia, valuesOf } from './sdp.ts'

/** Certificate of one side of a handshake, and whether it begins it (RFC 8122 and RFC 4145). */
export interface DtlsDescription {
  /** As `sha-256 4A:AD:…`, in the case of RFC 8122. */
  readonly fingerprint: string
  readonly setup: 'active' | 'passive' | 'actpass'
}

/** Hashes of certificates, the preferred first. SHA-1 proves nothing any more. */
export const fingerprintHashes = { 'sha-256': 'sha256', 'sha-384': 'sha384', 'sha-512': 'sha512' } as const

const FINGERPRINT = /^([\w-]+) +([\dA-F]{2}(?::[\dA-F]{2})*)$/i

/** Returns the certificate and role of a section; undefined if either is missing or unknown. */
export function readDtls(media: SdpMedia): DtlsDescription | undefined {
  const setup = /^(?:active|passive|actpass)$/.exec(valuesOf(media, 'setup').at(-1)?.trim() ?? '')?.[0]
  const found = valuesOf(media, 'fingerprint').flatMap((value) => {
    const [, hash = '', digest = ''] = FINGERPRINT.exec(value.trim()) ?? []
    return Object.hasOwn(fingerprintHashes, hash.toLowerCase()) ? [`${hash.toLowerCase()} ${digest.toUpperCase()}`] : []
  })
  const [fingerprint] = found.toSorted()
  return fingerprint && setup ? { fingerprint, setup: setup as DtlsDescription['setup'] } : undefined
}

/** Writes the attributes of a section. */
export const writeDtls = ({ fingerprint, setup }: DtlsDescription): string[] => [
  `a=setup:${setup}`,
  `a=fingerprint:${fingerprint}`,
]
