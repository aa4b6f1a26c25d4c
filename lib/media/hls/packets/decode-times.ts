import type { Sample } from './samples.ts'

/** A sample and its time of decoding, in ticks as fragments write them. */
export interface TimedSample extends Sample {
  readonly decodeTime: number
  /** Ticks until the next sample is decoded. */
  readonly decodeDuration: number
}

/** The placement of samples on the timeline of fragments. */
export interface FragmentTimeline {
  /** Ticks by which a sample is decoded before its slot. */
  readonly delay: number
  /** Ticks added to all times, so that no sample is shown before 0; the init segment’s edit list removes them. */
  readonly lead: number
}

/**
 * Assigns decode times to samples: `delay` before their slot, and not before 0. At the start of a recording the first
 * samples have no room for that: they are decoded a tick apart, each still before it is shown. An edit list that shifts
 * all of them would say the same, but some players ignore it, and ffmpeg plays negative offsets late.
 */
export function timeSamples(samples: readonly Sample[], { delay, lead }: FragmentTimeline): TimedSample[] {
  const own = samples.map(({ slot }) => slot - delay + lead)
  const crowded = own.findIndex((time) => time >= 0)
  const decodeTimes = crowded === 0 ? own : spreadFromZero(own, crowded < 0 ? own.length : crowded, samples, lead)
  const last = samples.at(-1)
  const end = last ? Math.max(last.slot + last.duration - delay + lead, decodeTimes.at(-1) ?? 0) : 0
  return samples.map((sample, index) => {
    const decodeTime = decodeTimes[index] as number
    return { ...sample, decodeTime, decodeDuration: (decodeTimes[index + 1] ?? end) - decodeTime }
  })
}

/** Spreads the first samples from 0 on. @param crowded number of samples whose decode time would be before 0 */
function spreadFromZero(own: readonly number[], crowded: number, samples: readonly Sample[], lead: number): number[] {
  const times = [...own]
  let latest = Number.POSITIVE_INFINITY
  for (let index = own.length - 1; index >= 0; index--) {
    latest = Math.min(latest, (samples[index] as Sample).time + lead)
    times[index] = Math.max(own[index] as number, Math.min(index, crowded, latest))
  }
  return times
}
