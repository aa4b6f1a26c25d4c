import type { Box } from '../box-header.ts'
import type { ByteSource } from '../byte-source.ts'
import { MediaError } from '../media-error.ts'
import type { TableBoxes } from './table-boxes.ts'

/** Where samples lie in the file, in stored order. */
export interface SamplePlaces {
  readonly sizes: Uint32Array
  readonly offsets: Float64Array
}

const damaged = (what: string) => new MediaError(`The MP4 is damaged: its index has ${what}.`)

/** How many samples the table of sizes lists. */
export async function countSizes(source: ByteSource, { stsz, stz2 }: TableBoxes): Promise<number> {
  if (stz2 && !stsz) throw new MediaError('The MP4 has compact sizes of packets (stz2), which are not read.')
  return stsz ? (await contentOf(source, stsz, 0, 12)).readUInt32BE(8) : 0
}

/** Reads of the tables only what is about samples from `from` up to `to`. */
export async function readPlaces(
  source: ByteSource,
  tables: TableBoxes,
  from: number,
  to: number,
): Promise<SamplePlaces> {
  const { stsz, stsc, chunkBox, width } = placing(tables)
  const chunks = chunksOf(await contentOf(source, stsc), from, to)
  const firstListed = chunks[0]?.firstSample ?? from
  const listed = await readSizes(source, stsz, firstListed, to)
  const firstChunk = chunks[0]?.chunk ?? 0
  const lastChunk = chunks.at(-1)?.chunk ?? 0
  const entries = await contentOf(source, chunkBox, 8 + firstChunk * width, 8 + (lastChunk + 1) * width)
  const offsets = new Float64Array(to - from)
  for (const { chunk, firstSample, samples } of chunks) {
    const at = (chunk - firstChunk) * width
    let offset = offsetIn(entries, at, width)
    for (let sample = firstSample; sample < Math.min(to, firstSample + samples); sample++) {
      if (sample >= from) offsets[sample - from] = offset
      offset += listed[sample - firstListed] as number
    }
  }
  return { sizes: listed.subarray(from - firstListed), offsets }
}

/** Where the last sample ends, by the last entries of the tables alone. */
export async function readEnd(source: ByteSource, tables: TableBoxes, count: number): Promise<number> {
  const { stsz, stsc, chunkBox, width } = placing(tables)
  const runs = (await contentOf(source, stsc, 0, 8)).readUInt32BE(4)
  const chunks = (await contentOf(source, chunkBox, 0, 8)).readUInt32BE(4)
  if (runs === 0 || chunks === 0) throw damaged('packets that are in no chunk')
  const inLast = (await contentOf(source, stsc, runs * 12 - 4, runs * 12 + 8)).readUInt32BE(4)
  const sizes = await readSizes(source, stsz, Math.max(0, count - inLast), count)
  const entry = await contentOf(source, chunkBox, 8 + (chunks - 1) * width, 8 + chunks * width)
  return sizes.reduce((sum, size) => sum + size, offsetIn(entry, 0, width))
}

/** The tables that tell places. */
function placing({ stsz, stsc, stco, co64 }: TableBoxes) {
  const chunkBox = co64 ?? stco
  if (!stsz || !stsc || !chunkBox) throw damaged('no table of where its packets lie')
  return { stsz, stsc, chunkBox, width: chunkBox === co64 ? 8 : 4 }
}

const offsetIn = (entries: Buffer, at: number, width: number) =>
  width === 4 ? entries.readUInt32BE(at) : Number(entries.readBigUInt64BE(at))

interface Chunk {
  readonly chunk: number
  readonly firstSample: number
  readonly samples: number
}

/** Chunks that hold the samples, each with the number of its first one. */
function chunksOf(stsc: Buffer, from: number, to: number): Chunk[] {
  const count = stsc.readUInt32BE(4)
  const chunks: Chunk[] = []
  let sample = 0
  for (let n = 0; n < count && sample < to; n++) {
    const first = stsc.readUInt32BE(8 + n * 12) - 1
    const samples = stsc.readUInt32BE(12 + n * 12)
    const next = n + 1 < count ? stsc.readUInt32BE(8 + (n + 1) * 12) - 1 : Number.POSITIVE_INFINITY
    if (samples === 0 || next <= first) throw damaged('chunks without packets')
    const skipped = Math.min(next - first, Math.max(0, Math.floor((from - sample) / samples)))
    sample += skipped * samples
    for (let chunk = first + skipped; chunk < next && sample < to; chunk++) {
      chunks.push({ chunk, firstSample: sample, samples })
      sample += samples
    }
  }
  if (sample < to) throw damaged('packets that are in no chunk')
  return chunks
}

async function readSizes(source: ByteSource, stsz: Box, from: number, to: number): Promise<Uint32Array> {
  const sizes = new Uint32Array(to - from)
  const equal = (await contentOf(source, stsz, 4, 8)).readUInt32BE(0)
  if (equal > 0) return sizes.fill(equal)
  const entries = await contentOf(source, stsz, 12 + from * 4, 12 + to * 4)
  for (let n = 0; n < sizes.length; n++) sizes[n] = entries.readUInt32BE(n * 4)
  return sizes
}

/** Of the content of a box the bytes from `start` up to `end`. */
export async function contentOf(source: ByteSource, box: Box, start = 0, end?: number): Promise<Buffer> {
  const until = end === undefined ? box.end : box.content + end
  if (until > box.end) throw damaged(`a ${box.type} box that is shorter than it says`)
  const bytes = await source.read(box.content + start, until)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
