import { describe, expect, it } from 'vitest'
import type { ByteSource } from '../../../../lib/media/byte-source.ts'
import { type FileAssembly, planFaststart } from '../../../../lib/media/faststart/plan-faststart.ts'
import { countReads } from '../count-reads.ts'
import { box, factsOf, ftyp, header, moov, type Piece, readPlan, sizeOf, syntheticFile, table } from './synthetic.ts'

const MB = 2 ** 20
const GB = 2 ** 30
const TB = 2 ** 40

/** A file of media boxes of these lengths with the index behind them, and a chunk at the beginning and end of each. */
function recording(lengths: readonly number[], { width = 4 as 4 | 8, behind = [] as Piece[] } = {}) {
  const before: Piece[] = [ftyp]
  const offsets: number[] = []
  let at = ftyp.length
  for (const length of lengths) {
    const head = header('mdat', length)
    before.push(head, length)
    offsets.push(at + head.length, at + head.length + Math.max(0, length - 16))
    at += head.length + length
  }
  return syntheticFile([...before, moov({ width, offsets }), ...behind])
}

async function assembled(source: ByteSource) {
  const plan = await planFaststart(source)
  if (plan.kind !== 'assemble') throw new Error(`It is left alone: ${plan.reason}.`)
  return { plan, copy: readPlan(source, plan.parts) }
}

/** Checks all that holds for every plan. */
async function check(source: ByteSource) {
  const { plan, copy } = await assembled(source)
  expectRules(plan)
  expect(copy.size).toBe(plan.size)
  const [before, after] = [await factsOf(source), await factsOf(copy)]
  expect(after.moovPosition).toBe('front')
  expect(after.types).toEqual(['ftyp', 'moov', ...before.types.filter((type) => !['ftyp', 'moov'].includes(type))])
  expect(after.chunks).toEqual(before.chunks)
  return { plan, tracks: after.tracks, index: after.index, former: before.index }
}

function expectRules({ parts }: FileAssembly) {
  const sizes = parts.map(sizeOf)
  expect(parts.length).toBeLessThanOrEqual(10_000)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(5 * GB)
  expect(Math.min(...sizes.slice(0, -1), Number.POSITIVE_INFINITY)).toBeGreaterThanOrEqual(5 * MB)
  expect(Math.min(...sizes)).toBeGreaterThan(0)
}

describe('planFaststart', () => {
  it('moves the index before the media and keeps everything else', async () => {
    const source = syntheticFile([
      ...[ftyp, header('free', 9), 9, header('mdat', 900 * MB), 900 * MB],
      moov({ width: 4, offsets: [ftyp.length + 25, 7 * MB] }, { width: 8, offsets: [800 * MB] }),
    ])
    const { plan, tracks, index, former } = await check(source)
    expect(plan.size).toBe(source.size)
    expect(tracks.map(({ width }) => width)).toEqual([4, 8])
    const differing = [...index.keys()].filter((n) => index[n] !== former[n])
    const offsets = [index.indexOf('stco') + 12, index.indexOf('co64') + 12]
    expect(differing.filter((n) => !offsets.some((at) => n >= at && n < at + 8))).toEqual([])
  })

  it('uploads only the first part, and reads no more than that', async () => {
    const counted = countReads(recording([GB]))
    const { plan } = await check(counted)
    const given = plan.parts.filter((part) => 'bytes' in part)
    expect(given.map(sizeOf)).toEqual([5 * MB])
    const planned = countReads(recording([GB]))
    await planFaststart(planned)
    expect(planned.bytesRead + 5 * MB).toBeLessThan(12e6)
    expect(planned.reads).toBeLessThan(10)
  })

  it('rewrites the whole of a file below 5 MiB', async () => {
    const { plan } = await check(recording([4 * MB]))
    expect(plan.parts.map(sizeOf)).toEqual([plan.size])
  })

  it.each([1, 100, 5 * MB - 1, 5 * MB, 64 * MB, 64 * MB + 1, 5 * GB + 1])(
    'divides media of %d bytes behind the first part',
    async (length) => {
      await check(recording([5 * MB, length], { width: 8 }))
    },
  )

  it('plans a file of 5 TiB', async () => {
    const { plan, tracks } = await check(recording([2 * TB, 3 * TB - 1000], { width: 8 }))
    expect(plan.parts.length).toBeGreaterThan(9_000)
    expect(tracks[0]?.offsets.at(-1)).toBeGreaterThan(4.9 * TB)
  })

  it('widens a table whose offsets pass 4 GiB behind the index', async () => {
    const { plan, tracks } = await check(recording([4 * GB - 100]))
    expect(tracks).toEqual([{ width: 8, offsets: [expect.any(Number), expect.any(Number)] }])
    expect(tracks[0]?.offsets[1]).toBeGreaterThan(2 ** 32)
    expect(plan.size).toBe(recording([4 * GB - 100]).size + 8)
  })

  it('widens another table that passes 4 GiB only by the growth of the first', async () => {
    const many = Array.from({ length: 100 }, () => 2 ** 32 - 1)
    const [length, indexLength] = [4 * GB + 100, moov({ width: 4, offsets: many }, { width: 4, offsets: [0] }).length]
    const fileOf = (last: number) =>
      syntheticFile([
        ...[ftyp, header('mdat', length), length],
        moov({ width: 4, offsets: many }, { width: 4, offsets: [last] }),
      ])
    const fits = 2 ** 32 - 1 - indexLength
    expect((await check(fileOf(fits - 400))).tracks.map(({ width }) => width)).toEqual([8, 4])
    expect((await check(fileOf(fits - 399))).tracks.map(({ width }) => width)).toEqual([8, 8])
  })

  it('moves an index from between the media, and the media behind it by its growth only', async () => {
    const first = 4 * GB - 200
    const at = ftyp.length + 8
    const build = (offsets: number[]) => moov({ width: 4, offsets }, { width: 8, offsets: [behind] })
    const behind = at + first + moov({ width: 4, offsets: [0, 0] }, { width: 8, offsets: [0] }).length + 8
    const pieces = [ftyp, header('mdat', first), first, build([at, at + first - 16]), header('mdat', 6 * MB), 6 * MB]
    const { tracks } = await check(syntheticFile(pieces))
    expect(tracks[1]?.offsets).toEqual([behind + 8])
  })

  it('puts a range that is too small to be copied into the first part', async () => {
    const media = 8 * MB
    const index = moov({ width: 4, offsets: [ftyp.length + 8] })
    const { plan } = await check(
      syntheticFile([ftyp, header('mdat', media), media, index, header('udta', 9 * MB), 9 * MB]),
    )
    expect(plan.parts.map(sizeOf)).toEqual([plan.size - 9 * MB - 8, 9 * MB + 8])
  })

  it('supports 64-bit sizes and an index that extends to the end of the file', async () => {
    const media = 6 * MB
    const toTheEnd = moov({ width: 4, offsets: [ftyp.length + 16] })
    toTheEnd.writeUInt32BE(0, 0)
    await check(syntheticFile([ftyp, header('mdat', media, true), media, toTheEnd]))
    const content = moov({ width: 4, offsets: [4 * GB - 100] }).subarray(8)
    const large = Buffer.concat([header('moov', content.length, true), content])
    const { tracks } = await check(syntheticFile([ftyp, header('mdat', 4 * GB), 4 * GB, large]))
    expect(tracks[0]?.width).toBe(8)
  })

  it('plans no copy of a file that is faststart already', async () => {
    const index = moov({ width: 4, offsets: [] })
    const front = syntheticFile([ftyp, index, header('mdat', MB), MB])
    expect(await planFaststart(front)).toEqual({ kind: 'as is', reason: 'front' })
    const fragmented = { kind: 'as is', reason: 'fragmented' }
    expect(await planFaststart(syntheticFile([ftyp, index, box('moof'), header('mdat', MB), MB]))).toEqual(fragmented)
    expect(await planFaststart(syntheticFile([ftyp, box('moof'), header('mdat', MB), MB, index]))).toEqual(fragmented)
  })

  const damaged = (index: Buffer) => planFaststart(syntheticFile([ftyp, header('mdat', MB), MB, index]))
  const inTrack = (content: Buffer) => box('moov', box('trak', box('mdia', box('minf', box('stbl', content)))))
  const exceeding = inTrack(box('stsz', Buffer.alloc(12)))
  exceeding.writeUInt32BE(21, exceeding.indexOf('stsz') - 4)
  const endless = inTrack(box('stsz', Buffer.alloc(12)))
  endless.writeUInt32BE(0, endless.indexOf('stsz') - 4)

  it.each([
    ['is compressed', box('moov', box('cmov', Buffer.alloc(99))), /the index of the MP4 is compressed \(cmov\)/],
    ['has auxiliary data of samples', inTrack(box('saio', Buffer.alloc(12))), /\(saio\)/],
    ['has a box that exceeds the one around it', exceeding, /the stsz box at byte \d+ exceeds the stbl box/],
    ['has a box without an end', endless, /the stsz box at byte \d+ exceeds the stbl box/],
    [
      'has a box smaller than its header',
      box('moov', Buffer.from([0, 0, 0, 7, 0, 0, 0, 0])),
      /claims a size of 7 bytes/,
    ],
    ['ends inside a header', box('moov', Buffer.alloc(4)), /cut off inside the header/],
    ['has more entries than it has room for', inTrack(table({ width: 4, offsets: [99] }, 2)), /more entries than/],
    ['has a table without a count', inTrack(box('co64', Buffer.alloc(4))), /the co64 box .* more entries than/],
    ['points before the media', inTrack(table({ width: 4, offsets: [9] })), /media begin at byte 9, where none are/],
    ['points into itself', inTrack(table({ width: 4, offsets: [ftyp.length + 9 + MB] })), /where none are/],
    ['points behind the file', inTrack(table({ width: 8, offsets: [2 ** 53] })), /where none are/],
  ])('refuses an index that %s', async (_what, index, message) => {
    const refusal = damaged(index)
    await expect(refusal).rejects.toThrow(message)
    await expect(refusal).rejects.toMatchObject({ name: 'MediaError' })
  })

  it('passes errors of the source through', async () => {
    const lost = new Error('connection reset')
    const source = recording([6 * MB])
    const failing = {
      ...source,
      read: (start: number, end: number) => (end - start > MB ? Promise.reject(lost) : source.read(start, end)),
    }
    await expect(planFaststart(failing)).rejects.toBe(lost)
  })
})
