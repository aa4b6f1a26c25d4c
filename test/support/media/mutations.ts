import { createRandom, type Random } from '../../../local/simulation/scheduling/random.ts'

/** A box of an MP4 as it lies in a file. */
interface FoundBox {
  readonly type: string
  readonly start: number
  readonly content: number
  readonly end: number
}

const CONTAINERS = ['moov', 'trak', 'edts', 'mdia', 'minf', 'stbl', 'moof', 'traf', 'mvex', 'udta', 'dinf']
/** Bytes before the entries of a table, of which the last four are their number. */
const TABLES: Readonly<Record<string, number>> = {
  ...{ stts: 8, ctts: 8, stss: 8, stsc: 8, stco: 8, co64: 8, elst: 8, stsd: 8, dref: 8, trun: 8, stsz: 12 },
}
const NUMBERS = [0, 1, 2, 7, 8, 9, 255, 4096, 65_535, 65_536, 2 ** 20, 2 ** 24, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1]

/** Finds all boxes, also those within others. */
export function boxesOf(file: Buffer, from = 0, to = file.length): FoundBox[] {
  const boxes: FoundBox[] = []
  for (let at = from; at + 8 <= to; ) {
    const size = file.readUInt32BE(at)
    const end = size >= 8 ? Math.min(at + size, to) : to
    const type = file.toString('latin1', at + 4, at + 8)
    boxes.push({ type, start: at, content: at + 8, end })
    if (CONTAINERS.includes(type)) boxes.push(...boxesOf(file, at + 8, end))
    at = end
  }
  return boxes
}

type Mutation = (file: Buffer, random: Random) => Buffer

const pick = <T>(items: readonly T[], random: Random) => items[random.below(items.length)] as T
/** The whole file where there is no such box. */
const pickBox = (file: Buffer, boxes: readonly FoundBox[], random: Random): FoundBox =>
  boxes[random.below(boxes.length)] ?? { type: 'stts', start: 0, content: 8, end: file.length }

function withNumber(file: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.from(file)
  if (at >= 0 && at + 4 <= copy.length) copy.writeUInt32BE(value >>> 0, at)
  return copy
}

const tablesOf = (file: Buffer) => boxesOf(file).filter(({ type }) => type in TABLES)

/** Sets what a box states as the sizes around it grow, so that readers get as far as they can. */
function replaceBox(file: Buffer, box: FoundBox, by: Buffer): Buffer {
  const grown = by.length - (box.end - box.start)
  const copy = Buffer.concat([file.subarray(0, box.start), by, file.subarray(box.end)])
  for (const around of boxesOf(file))
    if (around.start < box.start && around.end >= box.end)
      copy.writeUInt32BE(around.end - around.start + grown, around.start)
  return copy
}

const mp4Mutations: readonly Mutation[] = [
  function statesAnotherSize(file, random) {
    return withNumber(file, pickBox(file, boxesOf(file), random).start, pick(NUMBERS, random))
  },
  function hasAnotherType(file, random) {
    const boxes = boxesOf(file)
    const copy = Buffer.from(file)
    copy.write(pickBox(file, boxes, random).type, pickBox(file, boxes, random).start + 4, 'latin1')
    return copy
  },
  function claimsEntries(file, random) {
    const table = pickBox(file, tablesOf(file), random)
    return withNumber(file, table.content + (TABLES[table.type] as number) - 4, pick(NUMBERS, random))
  },
  function claimsEqualSizes(file, random) {
    const table = pickBox(
      file,
      boxesOf(file).filter(({ type }) => type === 'stsz' || type === 'trun'),
      random,
    )
    const claimed = withNumber(file, table.content + 4, pick(NUMBERS, random))
    return withNumber(claimed, table.content + 8, pick(NUMBERS, random))
  },
  function hasOtherEntries(file, random) {
    const { type, content, end } = pickBox(file, tablesOf(file), random)
    const first = content + (TABLES[type] as number)
    let copy = file
    for (let n = random.below(8); n >= 0; n--)
      copy = withNumber(copy, first + 4 * random.below(Math.max(1, (end - first) >> 2)), pick(NUMBERS, random))
    return copy
  },
  function hasManyEntries(file, random) {
    const table = pickBox(file, tablesOf(file), random)
    const header = TABLES[table.type] as number
    const count = 1000 * (1 + random.below(20))
    const entry = Buffer.from(Array.from({ length: 12 }, () => random.below(4)))
    const content = Buffer.concat([file.subarray(table.start, table.content + header), ...Array(count).fill(entry)])
    content.writeUInt32BE(content.length, 0)
    content.writeUInt32BE(count, 8 + header - 4)
    return replaceBox(file, table, content)
  },
  function repeatsBox(file, random) {
    const box = pickBox(
      file,
      boxesOf(file).filter(({ start, end }) => end - start < 10_000),
      random,
    )
    const bytes = file.subarray(box.start, box.end)
    const count = Math.max(2, Math.floor(random.below(2 ** 20) / bytes.length))
    return replaceBox(file, box, Buffer.concat(Array<Buffer>(count).fill(bytes)))
  },
  function lacksBox(file, random) {
    return replaceBox(file, pickBox(file, boxesOf(file), random), Buffer.alloc(0))
  },
  function hasOtherHeader(file, random) {
    const headers = boxesOf(file).filter(({ type }) =>
      ['mvhd', 'tkhd', 'mdhd', 'tfhd', 'tfdt', 'trex', 'stsd', 'hdlr'].includes(type),
    )
    const { content, end } = pickBox(file, headers, random)
    return withNumber(file, content + random.below(Math.max(1, end - content)), pick(NUMBERS, random))
  },
]

const anyMutations: readonly Mutation[] = [
  function isCutOff(file, random) {
    return file.subarray(0, random.below(file.length))
  },
  function hasOtherBytes(file, random) {
    const copy = Buffer.from(file)
    for (let n = random.below(20); n >= 0; n--) copy[random.below(copy.length)] = random.below(256)
    return copy
  },
  function repeatsBytes(file, random) {
    const start = random.below(file.length)
    const bytes = file.subarray(start, start + 1 + random.below(2000))
    const count = Math.max(1, Math.floor(random.below(2 ** 20) / bytes.length))
    return Buffer.concat([file.subarray(0, start), ...Array<Buffer>(count).fill(bytes), file.subarray(start)])
  },
  function hasANumber(file, random) {
    return withNumber(file, random.below(file.length), pick(NUMBERS, random))
  },
]

/** Damages an MP4 in its structure, and some of them in any byte; a seed damages it the same way each time. */
export function damageMp4(file: Buffer, seed: number): Buffer {
  const random = createRandom(seed, 'damage')
  let damaged = file
  for (let n = random.below(3); n >= 0; n--) {
    if (damaged.length < 64) return damaged
    const kinds = random.below(5) === 0 ? anyMutations : mp4Mutations
    damaged = pick(kinds, random)(damaged, random)
  }
  return damaged
}

/** Damages bytes that have no boxes: a WebM, or a zip as a whole. */
export function damageBytes(file: Buffer, random: Random): Buffer {
  return pick(anyMutations, random)(file, random)
}
