import { SAMPLES_PER_BLOCK } from '../sip/media/block.ts'
import type { CallAudio } from '../sip/media/call-audio.ts'

/** Hertz of the two notes of a chime. */
const NOTES = { muted: [660, 440], unmuted: [440, 660] } as const
/** Blocks of 20 ms for which a note sounds. */
const BLOCKS_PER_NOTE = 10
const PEAK = 6_000
const RATE = 48_000

/** The audio of a call in which announcements sound. */
export interface ChimingAudio extends CallAudio {
  /** Plays two notes to the phone: falling ones for `muted`, rising ones for `unmuted`. */
  ring(what: keyof typeof NOTES): void
}

/** Adds chimes to what a phone hears. They replace the announcements of the platform, since nothing here speaks. */
export function createChime(audio: CallAudio): ChimingAudio {
  /** Hertz of the blocks that are still to be played. */
  let notes: readonly number[] = []
  let sample = 0

  function add(block: Int16Array): Int16Array {
    const [hertz, ...rest] = notes
    if (hertz === undefined) return block
    notes = rest
    const mixed = new Int16Array(SAMPLES_PER_BLOCK)
    for (const [index, heard] of block.entries()) {
      const tone = PEAK * Math.sin((2 * Math.PI * hertz * sample++) / RATE)
      mixed[index] = Math.max(-32_768, Math.min(32_767, Math.round(heard + tone)))
    }
    return mixed
  }

  return {
    connect: (leg) => audio.connect({ take: leg.take, skip: leg.skip, send: (block) => leg.send(add(block)) }),
    ring(what) {
      notes = NOTES[what].flatMap((hertz) => Array<number>(BLOCKS_PER_NOTE).fill(hertz))
    },
  }
}
