import { largestOf } from '../composing/picture.ts'
import type { Source } from '../sources/source.ts'
import type { EncodedOutput } from './output.ts'
import type { Registry } from './registry.ts'
import type { EngineParticipant } from './session.ts'

/** Frames drawn in a row before the event loop handles messages and the exits of encoders. */
const FRAMES_AT_A_STRETCH = 15

/** Creates the renderer of an engine's sessions into its outputs, frame by frame. */
export function createRenderer({ outputs, outputsOf, sessionOf }: Registry) {
  let nextFrame = 0
  let isClosed = false

  /** Each source is drawn once, however many outputs show it. */
  async function drawFrame(frame: number, drawn: readonly EncodedOutput[]) {
    for (const id of new Set(drawn.map(({ setup }) => setup.sessionId))) {
      const shown = outputsOf(id)
      for (const output of shown) output.arrange()
      const largest = (source: Source) => largestOf(shown.map((output) => output.sizeOf(source)))
      const isUsed = ({ streamId }: EngineParticipant) => shown.some((output) => output.uses(streamId))
      const participants = sessionOf(id).participants().filter(isUsed) // nothing else is decoded
      await Promise.all(participants.map(({ source }) => source.show(frame, largest(source))))
      if (participants.some(({ source }) => source.isResized)) for (const output of shown) output.rearrange()
    }
    for (const output of drawn) await output.draw(frame)
  }

  return {
    get nextFrame(): number {
      return nextFrame
    },
    /** Draws all frames before this one into the outputs that are not paused. */
    async drawUntil(frame: number): Promise<void> {
      for (; nextFrame < frame; nextFrame++) {
        if (isClosed) return
        const drawn = [...outputs.values()].filter(({ isPaused }) => !isPaused)
        if (drawn.length === 0) {
          nextFrame = frame
          return
        }
        await drawFrame(nextFrame, drawn)
        if (nextFrame % FRAMES_AT_A_STRETCH === 0) await new Promise((resolve) => setImmediate(resolve))
      }
    },
    /** Draws one frame into an output that has none yet, since a file needs at least one. */
    async drawFirstFrame(output: EncodedOutput): Promise<void> {
      await drawFrame(nextFrame, [output])
      for (const other of outputsOf(output.setup.sessionId)) other.rearrange() // they have missed this frame
    },
    /** Stops drawing after the current frame. */
    close(): void {
      isClosed = true
    },
  }
}
