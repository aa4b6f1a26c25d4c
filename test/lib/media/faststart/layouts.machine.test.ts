import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { ByteSource } from '../../../../lib/media/byte-source.ts'
import { hashFaststart } from '../../../../lib/media/faststart/hash-faststart.ts'
import { planFaststart } from '../../../../lib/media/faststart/plan-faststart.ts'
import {
  box,
  factsOf,
  ftyp,
  header,
  moov,
  type Piece,
  readPlan,
  sizeOf,
  syntheticFile,
  type Track,
} from './synthetic.ts'

/** Numbers from 0 up to, not including, 1, that a seed repeats (mulberry32). */
function createRandom(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const MB = 2 ** 20

/** A file of up to 5 TiB, or of up to 12 MB: media boxes with others between, and the index behind at least one of them. */
function drawFile(seed: number, largest: number) {
  const random = createRandom(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const drawSize = () => Math.floor(Math.exp(random() * Math.log(largest)))
  const other = () => (below(2) ? [box(['free', 'uuid', 'udta'][below(3)] ?? '', Buffer.alloc(below(99), 7))] : [])
  const media = () => {
    const length = drawSize()
    return [header('mdat', length, below(3) === 0 || length >= 2 ** 32 - 8), length]
  }
  const before: Piece[] = [ftyp, ...other(), ...media(), ...Array.from({ length: below(3) }, media).flat(), ...other()]
  const behind: Piece[] = [...other(), ...(below(4) ? [] : media()), ...other()]
  const spans = (pieces: readonly Piece[], from: number) => {
    let at = from
    return pieces.flatMap((piece) => {
      const start = at
      at += typeof piece === 'number' ? piece : piece.length
      return typeof piece === 'number' ? [{ start, length: piece }] : []
    })
  }
  const drawTrack = (places: { start: number; length: number }[]): Track => {
    const offsets = Array.from({ length: below(40) }, () => {
      const { start, length } = places[below(places.length)] ?? { start: 0, length: 0 }
      return start + Math.floor(random() * length)
    })
    return { width: below(2) || Math.max(0, ...offsets) >= 2 ** 32 ? 8 : 4, offsets }
  }
  const end = before.reduce<number>((sum, piece) => sum + (typeof piece === 'number' ? piece : piece.length), 0)
  const inFront = Array.from({ length: 1 + below(3) }, () => drawTrack(spans(before, 0)))
  const tracks = behind.some((piece) => typeof piece === 'number')
    ? // its offsets depend on how long the index is, which with 64 bits each does not depend on them
      [
        ...inFront,
        {
          width: 8 as const,
          offsets: [spans(behind, end + moov(...inFront, { width: 8, offsets: [0] }).length)[0]?.start ?? 0],
        },
      ]
    : inFront
  return syntheticFile([...before, moov(...tracks), ...behind])
}

const seeds = Array.from({ length: 60 }, (_, seed) => seed)

describe('planFaststart', () => {
  it.each([
    [5 * 2 ** 40, 'of terabytes'],
    [12 * MB, 'of megabytes'],
  ])('keeps every chunk and every rule for any layout (up to %d bytes, %s)', async (largest) => {
    for (const seed of seeds) {
      const source = drawFile(seed, largest)
      const plan = await planFaststart(source)
      if (plan.kind !== 'assemble') throw new Error(`Seed ${seed} is left alone.`)
      const sizes = plan.parts.map(sizeOf)
      const smallest = Math.min(...sizes.slice(0, -1), Number.POSITIVE_INFINITY)
      const holds = smallest >= 5 * MB && Math.max(...sizes) <= 5 * 2 ** 30 && sizes.length <= 10_000
      const copy = readPlan(source, plan.parts)
      expect({ seed, holds, size: copy.size }).toEqual({ seed, holds: true, size: plan.size })
      const { moovPosition, chunks } = await factsOf(copy)
      expect({ seed, moovPosition, chunks }).toEqual({
        seed,
        moovPosition: 'front',
        chunks: (await factsOf(source)).chunks,
      })
    }
  })
})

/** The bytes of a source in chunks of drawn sizes, as they come over a network. */
async function* inChunks(source: ByteSource, random: () => number) {
  for (let at = 0; at < source.size; ) {
    const end = Math.min(source.size, at + 1 + Math.floor(random() * 400_000))
    yield await source.read(at, end)
    at = end
  }
}
const sha256 = async (source: ByteSource) =>
  createHash('sha256')
    .update(await source.read(0, source.size))
    .digest('hex')

describe('hashFaststart', () => {
  it('computes the SHA-256 of the file and of its copy in one pass, for any layout and chunks', async () => {
    for (const seed of seeds.slice(0, 15)) {
      const source = drawFile(seed, 12 * MB)
      const plan = await planFaststart(source)
      const copy = plan.kind === 'assemble' ? readPlan(source, plan.parts) : source
      expect({ seed, ...(await hashFaststart(inChunks(source, createRandom(seed)), plan)) }).toEqual({
        seed,
        sha256: await sha256(source),
        faststartSha256: await sha256(copy),
      })
    }
  })

  const file = syntheticFile([ftyp, moov({ width: 4, offsets: [] }), header('mdat', MB), MB])

  it('returns the hash of the file for one that needs no copy, and none without a plan', async () => {
    const own = await sha256(file)
    const chunks = () => inChunks(file, createRandom(1))
    expect(await hashFaststart(chunks(), await planFaststart(file))).toEqual({ sha256: own, faststartSha256: own })
    expect(await hashFaststart(chunks())).toEqual({ sha256: own, faststartSha256: null })
  })

  it('returns none for a copy when the file ends early', async () => {
    const parts = [{ bytes: Buffer.from('head') }, { start: 10, end: file.size + 1 }]
    const { faststartSha256 } = await hashFaststart(inChunks(file, createRandom(1)), {
      kind: 'assemble',
      size: 1,
      parts,
    })
    expect(faststartSha256).toBeNull()
  })

  it('passes errors of the file through', async () => {
    const lost = new Error('connection reset')
    async function* breaking() {
      yield Buffer.from('a')
      throw lost
    }
    await expect(hashFaststart(breaking())).rejects.toBe(lost)
  })
})
