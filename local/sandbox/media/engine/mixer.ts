import { limits } from '../../../../lib/platform/contract/limits.ts'
import { BEEP_PEAK } from '../pattern/beep.ts'

/** Greatest sample value; louder sums are clipped. */
const LOUDEST = 32_767
/** Maximum number of audible streams: the platform's limit of a composed archive. */
export const MAX_VOICES = limits.archiveAudioStreams.value
/** Voices that are mixed unchanged. More are attenuated together, so that no beep is clipped. */
const VOICES_AT_FULL_VOLUME = Math.floor(LOUDEST / BEEP_PEAK)

/** Mixes the audio of one frame; undefined is a silent voice. */
export function mixVoices(voices: readonly (Int16Array | undefined)[], target: Int16Array): void {
  target.fill(0)
  const heard = voices.slice(0, MAX_VOICES)
  const volume = Math.min(1, VOICES_AT_FULL_VOLUME / Math.max(1, heard.length))
  for (const voice of heard) {
    if (!voice) continue
    for (let sample = 0; sample < target.length; sample++) {
      const sum = (target[sample] as number) + (voice[sample] as number) * volume
      target[sample] = sum > LOUDEST ? LOUDEST : sum < -LOUDEST ? -LOUDEST : sum
    }
  }
}
