import { type ByteSource, bufferOf } from '../../byte-source.ts'
import { MediaError } from '../../media-error.ts'
import type { Box } from '../boxes.ts'
import type { TableBoxes } from './table-boxes.ts'

/** The sizes and positions of samples in the file, in stored order. */
export interface SamplePlaces {
  readonly sizes: Uint32Array
  readonly offsets: Float64Array
}

/** Truncated files list packets beyond their end: up to this factor, and these bytes. More are refused. */
const MAX_SHARE = 10
const HARMLESS_SIZE = 2 ** 20

const damaged = (what: string) => new MediaError(`The MP4 is damaged: its index has ${what}.`)

/** Returns how many samples the table of sizes lists. @throws {@link MediaError} when there is no room for so many */
export async function countSizes(source: ByteSource, { stsz, stz2 }: TableBoxes): Promise<number> {
  if (stz2 && !stsz) throw new MediaError('The MP4 has compact sizes of packets (stz2), which are not read.')
  if (!stsz) return 0
  const head = await contentOf(source, stsz, 0, 12)
  const [equal, count] = [head.readUInt32BE(4), head.readUInt32BE(8)]
  const hasRoom = equal > 0 ? equal * count <= source.size : stsz.content + 12 + 4 * count <= stsz.end
  if (!hasRoom) throw damaged(`${count} packets of a track, for which there is no room`)
  return count
}

/** Reads the places of samples from `from` up to `to`, and only their entries of the tables. */
export async function readPlaces(
  source: ByteSource,
  tables: TableBoxes,
  from: number,
  to: number,
): Promise<SamplePlaces> {
  if (to <= from) return { sizes: new Uint32Array(), offsets: new Float64Array() }
  const { stsz, stsc, chunkBox, width } = placing(tables)
  const count = await countChunks(source, chunkBox, width)
  const runs = readChunkRuns(await contentOf(source, stsc), count)
  const [first, last] = [chunkOf(runs, from), chunkOf(runs, to - 1)]
  const listed = await readSizes(source, stsz, first.firstSample, to)
  if (total(listed) > HARMLESS_SIZE + MAX_SHARE * source.size)
    throw damaged('packets that are far larger than the file')
  const entries = await contentOf(source, chunkBox, 8 + first.chunk * width, 8 + (last.chunk + 1) * width)
  const offsets = new Float64Array(to - from)
  let { run, chunk, firstSample: sample } = first
  for (; sample < to; chunk++) {
    while (chunk >= endOfRun(runs, run)) run += 1
    const end = Math.min(to, sample + (runs.samples[run] as number))
    let offset = offsetIn(entries, (chunk - first.chunk) * width, width)
    for (; sample < end; sample++) {
      if (sample >= from) offsets[sample - from] = offset
      offset += listed[sample - first.firstSample] as number
    }
  }
  return { sizes: listed.subarray(from - first.firstSample), offsets }
}

/** Returns the end of the last sample, by the last entries of the tables alone. */
export async function readEnd(source: ByteSource, tables: TableBoxes, count: number): Promise<number> {
  const { stsz, stsc, chunkBox, width } = placing(tables)
  const runs = (await contentOf(source, stsc, 0, 8)).readUInt32BE(4)
  const chunks = await countChunks(source, chunkBox, width)
  if (runs === 0 || chunks === 0) throw damaged('packets that are in no chunk')
  const inLast = (await contentOf(source, stsc, runs * 12 - 4, runs * 12 + 8)).readUInt32BE(4)
  const sizes = await readSizes(source, stsz, Math.max(0, count - inLast), count)
  const entry = await contentOf(source, chunkBox, 8 + (chunks - 1) * width, 8 + chunks * width)
  return total(sizes) + offsetIn(entry, 0, width)
}

const total = (sizes: Uint32Array) => sizes.reduce((sum, size) => sum + size, 0)

/** Returns the tables of places. */
function placing({ stsz, stsc, stco, co64 }: TableBoxes) {
  const chunkBox = co64 ?? stco
  if (!stsz || !stsc || !chunkBox) throw damaged('no table of chunk offsets')
  return { stsz, stsc, chunkBox, width: chunkBox === co64 ? 8 : 4 }
}

async function countChunks(source: ByteSource, chunkBox: Box, width: number): Promise<number> {
  const count = (await contentOf(source, chunkBox, 0, 8)).readUInt32BE(4)
  if (chunkBox.content + 8 + count * width > chunkBox.end)
    throw damaged(`a ${chunkBox.type} box that is shorter than it says`)
  return count
}

const offsetIn = (entries: Buffer, at: number, width: number) =>
  width === 4 ? entries.readUInt32BE(at) : Number(entries.readBigUInt64BE(at))

/**
 * Runs of chunks with equally many samples: the first chunk, the first sample, and the samples per chunk of each run.
 */
interface ChunkRuns {
  readonly chunks: Uint32Array
  readonly firstSamples: Float64Array
  readonly samples: Uint32Array
  /** Number of all chunks. */
  readonly count: number
}

function readChunkRuns(stsc: Buffer, count: number): ChunkRuns {
  const length = stsc.readUInt32BE(4)
  if (8 + length * 12 > stsc.length) throw damaged('a stsc box that is shorter than it says')
  const runs = {
    chunks: new Uint32Array(length),
    firstSamples: new Float64Array(length),
    samples: new Uint32Array(length),
  }
  for (let n = 0; n < length; n++) {
    const chunk = stsc.readUInt32BE(8 + n * 12) - 1
    const samples = stsc.readUInt32BE(12 + n * 12)
    const before = n === 0 ? -1 : (runs.chunks[n - 1] as number)
    if (samples === 0 || chunk <= before) throw damaged('chunks without packets')
    runs.chunks[n] = chunk
    runs.samples[n] = samples
    if (n > 0)
      runs.firstSamples[n] = (runs.firstSamples[n - 1] as number) + (chunk - before) * (runs.samples[n - 1] as number)
  }
  return { ...runs, count }
}

const endOfRun = ({ chunks, count }: ChunkRuns, run: number) => chunks[run + 1] ?? count

/** Finds the chunk of a sample. */
function chunkOf(runs: ChunkRuns, sample: number) {
  const { chunks, firstSamples, samples, count } = runs
  let [low, high] = [0, chunks.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((firstSamples[middle] as number) <= sample) low = middle + 1
    else high = middle
  }
  const run = low - 1
  if (run < 0) throw damaged('packets that are in no chunk')
  const behind = Math.floor((sample - (firstSamples[run] as number)) / (samples[run] as number))
  const chunk = (chunks[run] as number) + behind
  if (chunk >= count) throw damaged('packets that are in no chunk')
  return { run, chunk, firstSample: (firstSamples[run] as number) + behind * (samples[run] as number) }
}

async function readSizes(source: ByteSource, stsz: Box, from: number, to: number): Promise<Uint32Array> {
  const sizes = new Uint32Array(to - from)
  const equal = (await contentOf(source, stsz, 4, 8)).readUInt32BE(0)
  if (equal > 0) return sizes.fill(equal)
  const entries = await contentOf(source, stsz, 12 + from * 4, 12 + to * 4)
  for (let n = 0; n < sizes.length; n++) sizes[n] = entries.readUInt32BE(n * 4)
  return sizes
}

/** Reads the content of a box from `start` up to `end`. */
export async function contentOf(source: ByteSource, box: Box, start = 0, end?: number): Promise<Buffer> {
  const until = end === undefined ? box.end : box.content + end
  if (until > box.end) throw damaged(`a ${box.type} box that is shorter than it says`)
  return bufferOf(await source.read(box.content + start, until))
}
