import { BEEP_PEAK } from '../../../local/sandbox/media/pattern/beep.ts'
import { paletteIdentityOf } from '../../../local/sandbox/media/pattern/palette.ts'
import { SAMPLES_PER_SECOND } from '../../../local/sandbox/media/timebase.ts'

const BEEP_SAMPLES = SAMPLES_PER_SECOND / 10
/** A whole beep gives 1; what others leak into its tone stays below 0.2. */
const THRESHOLD = 0.4

/**
 * When a participant (by its place in the order of publishing, from 0) begins to beep, in seconds of the recording. A
 * window as long as a beep moves over the audio; how much of the participant's tone it holds grows until it covers the
 * beep exactly, and falls from there.
 */
export function beepOnsets(audio: Int16Array, place: number): number[] {
  const strength = toneStrength(audio, paletteIdentityOf(place).tone)
  const onsets: number[] = []
  let strongest: number | undefined
  for (let at = 0; at <= strength.length; at++) {
    const now = strength[at] ?? 0
    if (now >= THRESHOLD) {
      if (strongest === undefined || now > (strength[strongest] as number)) strongest = at
    } else if (strongest !== undefined) {
      onsets.push(strongest / SAMPLES_PER_SECOND)
      strongest = undefined
    }
  }
  return onsets
}

/** How strong a tone is in the window that begins at each sample, compared to a beep of full volume. */
function toneStrength(audio: Int16Array, tone: number): Float64Array {
  const length = audio.length
  const real = new Float64Array(length + 1)
  const imaginary = new Float64Array(length + 1)
  for (let sample = 0; sample < length; sample++) {
    const angle = (2 * Math.PI * tone * sample) / SAMPLES_PER_SECOND
    real[sample + 1] = (real[sample] as number) + (audio[sample] as number) * Math.cos(angle)
    imaginary[sample + 1] = (imaginary[sample] as number) + (audio[sample] as number) * Math.sin(angle)
  }
  return Float64Array.from({ length }, (_, start) => {
    const end = Math.min(length, start + BEEP_SAMPLES)
    const size = Math.hypot(
      (real[end] as number) - (real[start] as number),
      (imaginary[end] as number) - (imaginary[start] as number),
    )
    return size / ((BEEP_PEAK * BEEP_SAMPLES) / 2)
  })
}
