import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { combineCrcs, createCrc32c, createCrc64nvme, type Hasher } from './crc.ts'
import { S3Error } from './errors.ts'

/** The checksums kept beside an object, by the names the API gives them. Values are base64. */
export const ALGORITHMS = ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const
export type Algorithm = (typeof ALGORITHMS)[number]
export type Checksums = Partial<Record<Algorithm, string>>

/** What S3 computes of its own accord when a client names no algorithm. */
export const DEFAULT_ALGORITHM: Algorithm = 'CRC64NVME'

/** FULL_OBJECT covers the bytes; COMPOSITE is a checksum over the parts' checksums, followed by their number. */
export type ChecksumType = 'FULL_OBJECT' | 'COMPOSITE'

/** The checksum an object carries. */
export interface ObjectChecksum {
  algorithm: Algorithm
  type: ChecksumType
  value: string
}

const HASHERS: Record<Algorithm, () => Hasher> = {
  CRC32: createCrc32,
  CRC32C: createCrc32c,
  CRC64NVME: createCrc64nvme,
  SHA1: () => createHash('sha1'),
  SHA256: () => createHash('sha256'),
}

function createCrc32(): Hasher {
  let crc = 0
  return {
    update: (chunk) => {
      crc = crc32(chunk, crc)
    },
    digest: () => {
      const result = Buffer.alloc(4)
      result.writeUInt32BE(crc)
      return result
    },
  }
}

export const headerOf = (algorithm: Algorithm) => `x-amz-checksum-${algorithm.toLowerCase()}`
export const elementOf = (algorithm: Algorithm) => `Checksum${algorithm}`

/** The algorithm of that name; throws InvalidRequest for one that is not offered here. */
export function algorithmNamed(name: string): Algorithm {
  const found = ALGORITHMS.find((algorithm) => algorithm === name.toUpperCase())
  if (!found) throw new S3Error('InvalidRequest', `Checksum algorithm ${name} is not one of ${ALGORITHMS.join(', ')}.`)
  return found
}

/** What bytes are summed up by; MD5 is what S3 names them by. */
export type Sum = Algorithm | 'MD5'

/** What a stream of bytes turned out to be. */
export interface Measured {
  size: number
  /** Those that were asked for: MD5 in hexadecimal, all others in base64. */
  sums: Partial<Record<Sum, string>>
}

/** Passes bytes through and tells afterwards how many they were and what they sum up to. */
export interface Meter {
  through(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>
  /** To be called once, after the last byte. */
  result(): Measured
}

export function createMeter(sums: Iterable<Sum>): Meter {
  const hashers = new Map([...sums].map((sum) => [sum, hasherOf(sum)]))
  let size = 0
  return {
    async *through(source) {
      for await (const chunk of source) {
        size += chunk.length
        for (const hasher of hashers.values()) hasher.update(chunk)
        yield chunk
      }
    },
    result() {
      const told = (sum: Sum, digest: Buffer) => digest.toString(sum === 'MD5' ? 'hex' : 'base64')
      return { size, sums: Object.fromEntries([...hashers].map(([sum, hasher]) => [sum, told(sum, hasher.digest())])) }
    },
  }
}

const hasherOf = (sum: Sum): Hasher => (sum === 'MD5' ? createHash('md5') : HASHERS[sum]())

/** The checksum of bytes that are gone through, in base64. */
export async function checksumOf(algorithm: Algorithm, source: AsyncIterable<Uint8Array>): Promise<string> {
  const hasher = HASHERS[algorithm]()
  for await (const chunk of source) hasher.update(chunk)
  return hasher.digest().toString('base64')
}

/** The checksum of an object made of parts. */
export function combineChecksums(
  algorithm: Algorithm,
  type: ChecksumType,
  parts: { value: string; size: number }[],
): ObjectChecksum {
  const pieces = parts.map(({ value, size }) => ({ digest: Buffer.from(value, 'base64'), length: size }))
  if (type === 'FULL_OBJECT') {
    if (algorithm === 'SHA1' || algorithm === 'SHA256') throw new Error(`${algorithm} has no full checksum over parts`)
    return { algorithm, type, value: combineCrcs(algorithm, pieces).toString('base64') }
  }
  const hasher = HASHERS[algorithm]()
  for (const { digest } of pieces) hasher.update(digest)
  return { algorithm, type, value: `${hasher.digest().toString('base64')}-${parts.length}` }
}
