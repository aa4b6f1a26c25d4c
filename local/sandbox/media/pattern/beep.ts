import { SAMPLES_PER_SECOND } from '../timebase.ts'

/** Peak of a beep: a fifth of full scale, so that five participants can beep together at full volume. */
export const BEEP_PEAK = 6_500
/** Samples of the fade at both ends, which avoids clicks in every frequency. */
const FADE_SAMPLES = SAMPLES_PER_SECOND * 0.004

/** Creates a sine tone of `length` samples. */
export function createBeep(hertz: number, length: number): Int16Array {
  return Int16Array.from({ length }, (_, sample) => {
    const fade = Math.min(1, (sample + 1) / FADE_SAMPLES, (length - sample) / FADE_SAMPLES)
    return Math.round(BEEP_PEAK * fade * Math.sin((2 * Math.PI * hertz * sample) / SAMPLES_PER_SECOND))
  })
}
