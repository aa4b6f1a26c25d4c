import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { combineCrcs, createCrc32c, createCrc64nvme, type Hasher } from './crc.ts'
import { S3Error } from './errors.ts'

/** Names of the checksums of objects, whose values are base64. */
export const ALGORITHMS = ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const
export type Algorithm = (typeof ALGORITHMS)[number]
export type Checksums = Partial<Record<Algorithm, string>>

/** The algorithm that S3 uses if the client names none. */
export const DEFAULT_ALGORITHM: Algorithm = 'CRC64NVME'

/** FULL_OBJECT covers the bytes; COMPOSITE is a checksum over the parts' checksums, followed by their number. */
export type ChecksumType = 'FULL_OBJECT' | 'COMPOSITE'

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

/** @throws S3Error InvalidRequest for an unsupported one */
export function algorithmNamed(name: string): Algorithm {
  const found = ALGORITHMS.find((algorithm) => algorithm === name.toUpperCase())
  if (!found) throw new S3Error('InvalidRequest', `Checksum algorithm ${name} is not one of ${ALGORITHMS.join(', ')}.`)
  return found
}

/** A checksum or MD5, which entity tags use. */
export type Sum = Algorithm | 'MD5'

export interface MeasuredBody {
  size: number
  /** The requested sums: MD5 in hexadecimal, all others in base64. */
  sums: Partial<Record<Sum, string>>
}

/** Creates a stream that passes bytes through, and measures their length and sums. */
export function createMeter(sums: Iterable<Sum>) {
  const hashers = new Map([...sums].map((sum) => [sum, hasherOf(sum)]))
  let size = 0
  return {
    async *through(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of source) {
        size += chunk.length
        for (const hasher of hashers.values()) hasher.update(chunk)
        yield chunk
      }
    },
    /** Returns the measurements. Call it once, after the last byte. */
    result(): MeasuredBody {
      const shown = (sum: Sum, digest: Buffer) => digest.toString(sum === 'MD5' ? 'hex' : 'base64')
      return { size, sums: Object.fromEntries([...hashers].map(([sum, hasher]) => [sum, shown(sum, hasher.digest())])) }
    },
  }
}

const hasherOf = (sum: Sum): Hasher => (sum === 'MD5' ? createHash('md5') : HASHERS[sum]())

/** Returns the checksum of bytes in base64. */
export async function checksumOf(algorithm: Algorithm, source: AsyncIterable<Uint8Array>): Promise<string> {
  const hasher = HASHERS[algorithm]()
  for await (const chunk of source) hasher.update(chunk)
  return hasher.digest().toString('base64')
}

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
