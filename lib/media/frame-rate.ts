/** From this share of the frames on, those that last about the same tell the rate; the others are pauses and lost frames. */
const STEADY_SHARE = 0.9

/**
 * Finds the frame rate from how long frames last. Where they are steady (nine in ten within a tenth of the most common
 * duration), those alone count, so that a pause or an odd last frame does not blur it; otherwise it is the mean over all.
 * Files count time in ticks, often milliseconds, which leaves the mean of a steady rate a little off: within 0.04 % of a whole
 * rate or its NTSC form (30000/1001) it is taken for that; the two lie 0.1 % apart, so neither is mistaken for the other.
 * @param durations seconds, each with the number of frames that last so long
 * @returns frames per second, to three decimals where it is none of those rates; 0 when no frame lasts any time
 */
export function findFrameRate(durations: ReadonlyMap<number, number>): number {
  const all = [...durations]
  const [common] = all.reduce((a, b) => (b[1] > a[1] ? b : a), [0, 0])
  const steady = all.filter(([duration]) => Math.abs(duration - common) <= common / 10)
  const { frames, seconds } = total(total(steady).frames >= total(all).frames * STEADY_SHARE ? steady : all)
  return seconds > 0 ? settle(frames / seconds) : 0
}

/** How long packets last; the keys are seconds, the values how many there are. */
export interface DurationCount {
  add(seconds: number): void
  readonly durations: ReadonlyMap<number, number>
}

/** Packets of a recording last a few different times; the uneven clocks of a day are far fewer than these. */
const MAX_DURATIONS = 100_000

/** Counts how many packets last how long. Of too many different durations it only keeps the mean. */
export function countDurations(): DurationCount {
  const counted = new Map<number, number>()
  let [packets, seconds] = [0, 0]
  return {
    add(duration) {
      packets += 1
      seconds += duration
      if (counted.size < MAX_DURATIONS) counted.set(duration, (counted.get(duration) ?? 0) + 1)
    },
    get durations() {
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
