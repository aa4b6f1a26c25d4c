export interface Hasher {
  update(chunk: Uint8Array): void
  digest(): Buffer
}

/** Reflected generator polynomials: CRC-32 (zlib), CRC-32C (Castagnoli), CRC-64/NVME (NVM Express base specification). */
const POLYNOMIAL = { CRC32: 0xedb88320n, CRC32C: 0x82f63b78n, CRC64NVME: 0x9a6c9329ac4bc9b5n } as const
const BYTES = { CRC32: 4, CRC32C: 4, CRC64NVME: 8 } as const

export type Crc = keyof typeof POLYNOMIAL

/** Bytes per turn of the loop, with one table for each. */
const SLICES = 8

/** `low[slice * 256 + byte]` is the lower half of what `byte` contributes with `slice` zero bytes after it. */
function tables(polynomial: bigint): { low: Int32Array; high: Int32Array } {
  const low = new Int32Array(SLICES * 256)
  const high = new Int32Array(SLICES * 256)
  const values: bigint[] = []
  for (let byte = 0; byte < 256; byte++) {
    let value = BigInt(byte)
    for (let bit = 0; bit < 8; bit++) value = value & 1n ? (value >> 1n) ^ polynomial : value >> 1n
    values.push(value)
  }
  for (let byte = 0; byte < 256; byte++) {
    let value = values[byte] as bigint
    for (let slice = 0; slice < SLICES; slice++) {
      low[slice * 256 + byte] = Number(BigInt.asIntN(32, value))
      high[slice * 256 + byte] = Number(BigInt.asIntN(32, value >> 32n))
      value = (value >> 8n) ^ (values[Number(value & 0xffn)] as bigint)
    }
  }
  return { low, high }
}

let crc32cTables: ReturnType<typeof tables> | undefined
let crc64Tables: ReturnType<typeof tables> | undefined

export function createCrc32c(): Hasher {
  crc32cTables ??= tables(POLYNOMIAL.CRC32C)
  const t = crc32cTables.low
  let crc = ~0
  return {
    update(b) {
      let i = 0
      for (const end = b.length - 7; i < end; i += 8) {
        crc ^= at(b, i) | (at(b, i + 1) << 8) | (at(b, i + 2) << 16) | (at(b, i + 3) << 24)
        crc =
          at(t, 1792 + (crc & 255)) ^
          at(t, 1536 + ((crc >>> 8) & 255)) ^
          at(t, 1280 + ((crc >>> 16) & 255)) ^
          at(t, 1024 + (crc >>> 24)) ^
          at(t, 768 + at(b, i + 4)) ^
          at(t, 512 + at(b, i + 5)) ^
          at(t, 256 + at(b, i + 6)) ^
          at(t, at(b, i + 7))
      }
      for (; i < b.length; i++) crc = (crc >>> 8) ^ at(t, (crc ^ at(b, i)) & 255)
    },
    digest() {
      const result = Buffer.alloc(4)
      result.writeInt32BE(~crc)
      return result
    },
  }
}

/** Works on two halves, since JavaScript's fast integers have 32 bits. */
export function createCrc64nvme(): Hasher {
  crc64Tables ??= tables(POLYNOMIAL.CRC64NVME)
  const { low: l, high: h } = crc64Tables
  let low = ~0
  let high = ~0
  return {
    update(b) {
      let i = 0
      for (const end = b.length - 7; i < end; i += 8) {
        low ^= at(b, i) | (at(b, i + 1) << 8) | (at(b, i + 2) << 16) | (at(b, i + 3) << 24)
        high ^= at(b, i + 4) | (at(b, i + 5) << 8) | (at(b, i + 6) << 16) | (at(b, i + 7) << 24)
        const i7 = 1792 + (low & 255)
        const i6 = 1536 + ((low >>> 8) & 255)
        const i5 = 1280 + ((low >>> 16) & 255)
        const i4 = 1024 + (low >>> 24)
        const i3 = 768 + (high & 255)
        const i2 = 512 + ((high >>> 8) & 255)
        const i1 = 256 + ((high >>> 16) & 255)
        const i0 = high >>> 24
        low = at(l, i7) ^ at(l, i6) ^ at(l, i5) ^ at(l, i4) ^ at(l, i3) ^ at(l, i2) ^ at(l, i1) ^ at(l, i0)
        high = at(h, i7) ^ at(h, i6) ^ at(h, i5) ^ at(h, i4) ^ at(h, i3) ^ at(h, i2) ^ at(h, i1) ^ at(h, i0)
      }
      for (; i < b.length; i++) {
        const entry = (low ^ at(b, i)) & 255
        low = ((low >>> 8) | (high << 24)) ^ at(l, entry)
        high = (high >>> 8) ^ at(h, entry)
      }
    },
    digest() {
      const result = Buffer.alloc(8)
      result.writeInt32BE(~high, 0)
      result.writeInt32BE(~low, 4)
      return result
    },
  }
}

/** The index is in range by construction; this spares the loops above a check per byte. */
function at(array: Uint8Array | Int32Array, index: number): number {
  return array[index] as number
}

/** Returns the checksum of pieces laid end to end, from each piece's own checksum and length. */
export function combineCrcs(crc: Crc, pieces: Iterable<{ digest: Buffer; length: number }>): Buffer {
  const bits = BYTES[crc] * 8
  const shifts = new Map<number, bigint>()
  let total = 0n
  for (const { digest, length } of pieces) {
    let shift = shifts.get(length)
    if (shift === undefined) {
      shift = powerOfX(length * 8, POLYNOMIAL[crc], bits)
      shifts.set(length, shift)
    }
    total = multiply(total, shift, POLYNOMIAL[crc], bits) ^ BigInt(`0x${digest.toString('hex')}`)
  }
  return Buffer.from(total.toString(16).padStart(bits / 4, '0'), 'hex')
}

/** Multiplies two reflected polynomials (highest bit is x⁰) modulo the generator. */
function multiply(a: bigint, b: bigint, polynomial: bigint, bits: number): bigint {
  let product = 0n
  let term = a
  for (let bit = bits - 1; bit >= 0; bit--) {
    if ((b >> BigInt(bit)) & 1n) product ^= term
    term = term & 1n ? (term >> 1n) ^ polynomial : term >> 1n
  }
  return product
}

function powerOfX(exponent: number, polynomial: bigint, bits: number): bigint {
  let result = 1n << BigInt(bits - 1)
  let square = 1n << BigInt(bits - 2)
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = multiply(result, square, polynomial, bits)
    square = multiply(square, square, polynomial, bits)
  }
  return result
}
