import { MediaError } from '../../media-error.ts'
import { countBelow, countUntil, type SampleTable, wholeTicks } from '../../mp4/tables/open-table.ts'
import { endOfShown } from '../../mp4/tables/shown-durations.ts'
import type { PeekableSource } from '../../read-ahead.ts'
import { cutOff, type Listed, NO_SAMPLES, ROUNDING, type SampleData, toSamples } from './samples.ts'
import type { TrackPackets } from './track-packets.ts'

/** Opens the packets of a track whose index is in one place. Reads only the entries that it needs. */
export function packetsInTables(table: SampleTable, type: 'video' | 'audio', media: PeekableSource): TrackPackets {
  const { timescale, count, keys } = table
  let keyTimes: Float64Array | undefined
  const timesOfKeys = () => {
    keyTimes ??= keys ? table.shownOf(keys) : table.shown(0, count)
    return keyTimes
  }
  const timeOf = (sample: number) => table.shownOf([sample])[0] as number
  const numberOfKey = (index: number) => (keys ? (keys[index] ?? count) : Math.min(index, count))

  /** Finds the keyframe at a time, or else the next one; `count` at the end of the track. */
  const keyAt = (seconds: number) => {
    const times = timesOfKeys()
    const behind = countUntil(times, (seconds + ROUNDING) * timescale)
    const isAt = behind > 0 && (times[behind - 1] as number) >= (seconds - ROUNDING) * timescale
    return numberOfKey(isAt ? behind - 1 : behind)
  }
  /** Finds the first packet that is heard from a time on: audio is stored in the order of its times. */
  const packetFrom = (seconds: number) => {
    const ticks = wholeTicks(seconds * timescale)
    let [low, high] = [0, count]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (timeOf(middle) < ticks) low = middle + 1
      else high = middle
    }
    return low
  }
  const find = type === 'video' ? keyAt : packetFrom
  const isKey = (sample: number) => !keys || keys[countBelow(keys, sample)] === sample

  return {
    async first(most) {
      const times = table.shown(0, Math.min(most, count))
      return Array.from(times, (time, sample) => ({ time, isKey: isKey(sample) }))
    },
    async list({ start, end }) {
      const first = start <= 0 ? 0 : find(start)
      const next = find(end)
      if (next <= first) return NO_SAMPLES
      if (next - first > MAX_IN_PIECE)
        throw new MediaError(`The MP4 is damaged: ${next - first} packets are in one piece.`)
      const durations = new Float64Array(next - first)
      const times = table.shown(first, next, durations)
      const { sizes, offsets } = await table.places(first, next)
      let key = keys ? countBelow(keys, first) : 0
      const listed: Listed[] = Array.from(times, (time, n) => {
        const isNextKey = !keys || keys[key] === first + n
        if (isNextKey) key += 1
        return { time, duration: durations[n] as number, size: sizes[n] as number, isKey: isNextKey }
      })
      const samples = toSamples(listed, next < count ? firstShown(table, next) : null)
      return { samples, open: () => dataOf(media, sizes, offsets) }
    },
    end: async () => endOfShown(table),
    async keyframesBehind(times) {
      const shown = timesOfKeys()
      const found = times.map((time) => countUntil(shown, time * timescale))
      const behind = found.filter((index) => index > 0 && index < shown.length).map((index) => shown[index] as number)
      return [...new Set(behind)].filter((ticks) => ticks > 0).map((ticks) => ticks / timescale)
    },
  }
}

/** Returns the earliest time of a GOP: frames of an open GOP are stored behind their keyframe and shown before it. */
function firstShown(table: SampleTable, key: number): number {
  let [earliest] = table.shown(key, key + 1) as unknown as [number]
  const shown = earliest
  if (!table.mayReorder) return shown
  for (const time of table.shown(key + 1, Math.min(table.count, key + MAX_BEFORE))) {
    if (time >= shown) break
    earliest = Math.min(earliest, time)
  }
  return earliest
}

/** Maximum packets of a piece of ten minutes: more than twice those of audio or of the fastest video. */
const MAX_IN_PIECE = 200_000

/** Frames that may be stored behind a keyframe and shown before it; H.264 allows 16. */
const MAX_BEFORE = 100

function dataOf(media: PeekableSource, sizes: Uint32Array, offsets: Float64Array): SampleData {
  let taken = 0
  return {
    next() {
      const start = offsets[taken] as number
      const end = start + (sizes[taken] as number)
      taken += 1
      if (end > media.size) throw cutOff()
      return media.peek(start, end) ?? media.read(start, end)
    },
    close: async () => {},
  }
}
