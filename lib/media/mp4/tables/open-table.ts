import type { ByteSource } from '../../byte-source.ts'
import { MediaError } from '../../media-error.ts'
import { contentOf, countSizes, readEnd, readPlaces, type SamplePlaces } from './sample-places.ts'
import { MAX_SAMPLES, readSampleTimes } from './sample-times.ts'
import type { IndexedTrackBoxes } from './table-boxes.ts'

export type SampleTable = Awaited<ReturnType<typeof openTable>>

const NONE = Buffer.alloc(8)

/**
 * Opens the samples of a track as its index lists them. They are read by parts, so that long indexes stay out of memory.
 * @throws {@link MediaError} or RangeError when a table is damaged
 */
export async function openTable(source: ByteSource, track: IndexedTrackBoxes) {
  const { timescale, editOffset, tables } = track
  const [stts, ctts, stss, sizes] = await Promise.all([
    tables.stts ? contentOf(source, tables.stts) : NONE,
    tables.ctts && contentOf(source, tables.ctts),
    tables.stss && contentOf(source, tables.stss),
    countSizes(source, tables),
  ])
  const times = readSampleTimes(stts, ctts)
  const count = Math.min(times.count, sizes)
  if (count > MAX_SAMPLES || timescale === 0)
    throw new MediaError('The MP4 is damaged: its index has an endless track.')
  const keys = stss && keysOf(stss, count)
  const presented = (ticks: Float64Array) => {
    if (editOffset !== 0) for (let n = 0; n < ticks.length; n++) ticks[n] = (ticks[n] as number) - editOffset
    return ticks
  }
  return {
    /** Ticks per second. */
    timescale,
    count,
    /** True when the stored order may differ from the display order. */
    mayReorder: times.mayReorder,
    /** Numbers of the samples that decode without others; undefined when all do. */
    keys,
    /** Returns the ticks at which samples `from` up to `to` are shown. @param durations receives those in the file */
    shown: (from: number, to: number, durations?: Float64Array) => presented(times.shown(from, to, durations)),
    /** Returns the same for samples whose numbers ascend. */
    shownOf: (samples: ArrayLike<number>) => presented(times.shownOf(samples)),
    places: (from: number, to: number) => readPlaces(source, tables, from, to),
    /** Returns the places of all keyframes, by reading the tables once. */
    async placesOfKeys(): Promise<SamplePlaces> {
      const all = await readPlaces(source, tables, 0, count)
      if (!keys) return all
      return {
        sizes: keys.map((key) => all.sizes[key] as number),
        offsets: Float64Array.from(keys, (key) => all.offsets[key] as number),
      }
    },
    /** Returns the first byte of the file after the last sample. */
    endInFile: () => readEnd(source, tables, count),
  }
}

/** Lists the keyframes. The first sample counts as one, since no sample precedes it. */
function keysOf(stss: Buffer, count: number): Uint32Array {
  const listed = stss.readUInt32BE(4)
  if (8 + listed * 4 > stss.length) throw new RangeError('A table has more entries than it has room for.')
  const keys = new Uint32Array(listed + 1)
  let length = 0
  const add = (sample: number) => {
    const isNext = length === 0 || sample > (keys[length - 1] as number)
    if (isNext && sample < count) keys[length++] = sample
  }
  if (count > 0) add(0)
  for (let n = 0; n < listed; n++) add(stss.readUInt32BE(8 + n * 4) - 1)
  return keys.slice(0, length)
}

export function countBelow(ascending: ArrayLike<number>, bound: number): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] as number) < bound) low = middle + 1
    else high = middle
  }
  return low
}

/** Counts the ascending times, in whole ticks, up to a time in ticks that was computed by a division. */
export const countUntil = (ascending: ArrayLike<number>, ticks: number) =>
  countBelow(ascending, wholeTicks(ticks) + 0.5)

/** Rounds ticks that a division has left slightly off a whole number. */
export function wholeTicks(ticks: number): number {
  const nearest = Math.round(ticks)
  return Math.abs(ticks - nearest) < 1e-6 ? nearest : ticks
}
