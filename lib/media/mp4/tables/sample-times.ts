import { MediaError } from '../../media-error.ts'

/** Half a day has 5 million frames at 120 per second; more are damaged or hostile, and would be iterated one by one. */
export const MAX_SAMPLES = 6_000_000

/**
 * Parses the tables of the times of a track's samples: runs of `stts` and `ctts`, 8 bytes each.
 * @param stts content of the box
 * @param ctts content of the box, if the track has it
 * @throws RangeError when a table is shorter than it states
 */
export function readSampleTimes(stts: Buffer, ctts: Buffer | undefined) {
  const decoded = readRuns(stts)
  const offsets = ctts && readRuns(ctts)
  const count = decoded.counts.reduce((sum, one) => sum + one, 0)
  if (count > MAX_SAMPLES) throw new MediaError(`The MP4 is damaged: its index claims ${count} packets of a track.`)

  /** Creates a cursor over the runs, which moves forwards only. */
  function startCursor() {
    let [run, before, time] = [0, 0, 0]
    let [offsetRun, offsetBefore] = [0, 0]
    return {
      delta: () => decoded.values[run] as number,
      moveTo(next: number) {
        while (run < decoded.counts.length - 1 && before + (decoded.counts[run] as number) <= next) {
          time += (decoded.counts[run] as number) * (decoded.values[run] as number)
          before += decoded.counts[run] as number
          run += 1
        }
        if (!offsets) return
        while (offsetRun < offsets.counts.length && offsetBefore + (offsets.counts[offsetRun] as number) <= next) {
          offsetBefore += offsets.counts[offsetRun] as number
          offsetRun += 1
        }
      },
      shown(at: number) {
        const offset = offsets && offsetRun < offsets.counts.length ? (offsets.values[offsetRun] as number) | 0 : 0
        return time + (at - before) * (decoded.values[run] as number) + offset
      },
    }
  }

  return {
    count,
    /** True when the stored order may differ from the display order. */
    mayReorder: offsets !== undefined && offsets.counts.length > 0,
    /** Returns ticks at which samples `from` up to `to` are shown. @param durations receives how long each is decoded */
    shown(from: number, to: number, durations?: Float64Array) {
      const times = new Float64Array(to - from)
      const cursor = startCursor()
      for (let sample = from; sample < to; sample++) {
        cursor.moveTo(sample)
        times[sample - from] = cursor.shown(sample)
        if (durations) durations[sample - from] = cursor.delta()
      }
      return times
    },
    /** Returns the same for samples whose numbers ascend. */
    shownOf(samples: ArrayLike<number>) {
      const times = new Float64Array(samples.length)
      const cursor = startCursor()
      for (let n = 0; n < samples.length; n++) {
        cursor.moveTo(samples[n] as number)
        times[n] = cursor.shown(samples[n] as number)
      }
      return times
    },
  }
}

function readRuns(content: Buffer) {
  const length = content.readUInt32BE(4)
  if (8 + length * 8 > content.length) throw new RangeError('A table has more entries than it has room for.')
  const counts = new Uint32Array(length)
  const values = new Uint32Array(length)
  for (let n = 0; n < length; n++) {
    counts[n] = content.readUInt32BE(8 + n * 8)
    values[n] = content.readUInt32BE(12 + n * 8)
  }
  return { counts, values }
}
