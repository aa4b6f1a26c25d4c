import type { Sample } from './samples.ts'

/** A sample and where it stands in the order of decoding, in ticks as fragments write them. */
export interface TimedSample extends Sample {
  readonly decodeTime: number
  /** Until the next one is decoded. */
  readonly decodeDuration: number
}

/** How samples are placed on the timeline of fragments. */
export interface Timeline {
  /** Ticks that a sample is decoded before its slot. */
  readonly delay: number
  /** Ticks added to all times so that none is shown before 0; the init segment's edit list takes them away again. */
  readonly lead: number
}

/**
 * Gives samples their decode times: `delay` before their slot, and none before 0. At the very start of a recording the first
 * ones have no room for that, so they are decoded a tick apart, each still before it is shown. An edit list that set all back
 * would say the same, but there are players that do not follow one, and negative offsets are played late by ffmpeg.
 */
export function timeSamples(samples: readonly Sample[], { delay, lead }: Timeline): TimedSample[] {
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

/** @param crowded how many of the first belong before 0 */
function spreadFromZero(own: readonly number[], crowded: number, samples: readonly Sample[], lead: number): number[] {
  const times = [...own]
  let latest = Number.POSITIVE_INFINITY
  for (let index = own.length - 1; index >= 0; index--) {
    latest = Math.min(latest, (samples[index] as Sample).time + lead)
    times[index] = Math.max(own[index] as number, Math.min(index, crowded, latest))
  }
  return times
}
