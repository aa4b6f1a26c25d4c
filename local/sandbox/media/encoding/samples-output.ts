import type { EncodedUnit } from '../live/packets.ts'
import { SAMPLES_PER_FRAME } from '../timebase.ts'
import type { LiveEncoder } from './live-encoder.ts'

/** Creates an encoder that gives the samples of each frame as they are, for what mixes them further. */
export function createSamplesOutput(onUnit: (unit: EncodedUnit) => void): LiveEncoder {
  let isOver = false
  return {
    started: Promise.resolve(),
    flv: undefined,
    live: {},
    fragments: undefined,
    renditions: [],
    failed: new Promise<never>(() => {}),
    nextBuffer: async () =>
      isOver ? undefined : { picture: new Uint8Array(0), audio: new Int16Array(SAMPLES_PER_FRAME) },
    send({ audio }, frame) {
      onUnit({ kind: 'audio', data: new Uint8Array(audio.buffer), place: frame * SAMPLES_PER_FRAME })
    },
    async finish() {
      isOver = true
    },
    async kill() {
      isOver = true
    },
  }
}
