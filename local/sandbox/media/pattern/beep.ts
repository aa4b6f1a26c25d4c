import { SAMPLES_PER_SECOND } from '../timebase.ts'

/** A fifth of full scale, so that five participants beep together without being turned down. */
export const BEEP_PEAK = 6_500
/** Without a fade a tone begins and ends with a click, which is heard and measured in every frequency. */
const FADE_SAMPLES = SAMPLES_PER_SECOND * 0.004

/** Makes a sine tone of so many samples. */
export function createBeep(hertz: number, length: number): Int16Array {
  return Int16Array.from({ length }, (_, sample) => {
    const fade = Math.min(1, (sample + 1) / FADE_SAMPLES, (length - sample) / FADE_SAMPLES)
    return Math.round(BEEP_PEAK * fade * Math.sin((2 * Math.PI * hertz * sample) / SAMPLES_PER_SECOND))
  })
}
