/**
 * Minimum share of frames of about equal duration for these to decide the rate; the others are pauses and lost frames.
 */
const STEADY_SHARE = 0.9

/**
 * Finds the frame rate by the durations of frames. With steady durations (nine in ten within a tenth of the most common
 * one), only those count, so that a pause or an odd last frame does not matter; otherwise it is the mean over all.
 * Files count time in ticks, often milliseconds, which shifts the mean of a steady rate a little. Within 0.04 % of a
 * whole rate or its NTSC form (30000/1001), which are 0.1 % apart, that rate is returned.
 * @param durations seconds, each with the number of frames of that duration
 * @returns frames per second, to three decimals for an unusual rate; 0 when no frame has a duration
 */
export function findFrameRate(durations: ReadonlyMap<number, number>): number {
  const all = [...durations]
  const [common] = all.reduce((a, b) => (b[1] > a[1] ? b : a), [0, 0])
  const steady = all.filter(([duration]) => Math.abs(duration - common) <= common / 10)
  const { frames, seconds } = total(total(steady).frames >= total(all).frames * STEADY_SHARE ? steady : all)
  return seconds > 0 ? settle(frames / seconds) : 0
}

/** Bounds the map. Packets of a recording have a few durations; the uneven clocks of a day give far fewer than this. */
const MAX_DURATIONS = 100_000

/** Creates a counter of packets by duration. With too many different durations it keeps only the mean. */
export function countDurations() {
  const counted = new Map<number, number>()
  let [packets, seconds] = [0, 0]
  return {
    add(duration: number) {
      packets += 1
      seconds += duration
      if (counted.size < MAX_DURATIONS) counted.set(duration, (counted.get(duration) ?? 0) + 1)
    },
    /** The number of packets by seconds. */
    get durations(): ReadonlyMap<number, number> {
      return counted.size < MAX_DURATIONS ? counted : new Map([[seconds / packets, packets]])
    },
  }
}

function total(durations: readonly (readonly [duration: number, frames: number])[]) {
  let frames = 0
  let seconds = 0
  for (const [duration, count] of durations) {
    frames += count
    seconds += duration * count
  }
  return { frames, seconds }
}

function settle(measured: number): number {
  const usual = [Math.round(measured), (Math.round(measured * 1.001) * 1000) / 1001]
  return usual.find((rate) => Math.abs(rate - measured) < measured * 0.0004) ?? Math.round(measured * 1000) / 1000
}
