import { type Composition, createComposition } from '../composing/composition.ts'
import { arrange } from '../composing/layouts.ts'
import { createEncoder, type Encoder } from '../encoding/encoder.ts'
import type { Layout, StreamChoice } from '../media.ts'
import { FRAMES_PER_SECOND } from '../timebase.ts'
import type { OutputSetup } from './commands.ts'
import { mixVoices } from './mixer.ts'
import type { Session } from './session.ts'

/** One archive or broadcast in the making. */
export interface Output {
  readonly setup: OutputSetup
  readonly encoder: Encoder
  readonly isPaused: boolean
  /** Recorded time in seconds. */
  readonly seconds: number
  setLayout(layout: Layout): void
  setStreams(streams: readonly StreamChoice[]): void
  pause(): void
  resume(): void
  /** Streams came, went or changed: what is shown must be arranged anew. */
  rearrange(): void
  /** Draws the session's sources as they are now and hands them to the encoder, as soon as it takes them. */
  draw(): Promise<void>
}

/** Starts an output with its encoder. */
export function createOutput(ffmpegPath: string, setup: OutputSetup, session: Session): Output {
  const { width, height, hasAudio, hasVideo } = setup
  const encoder = createEncoder(ffmpegPath, setup)
  const composition: Composition | undefined = hasVideo ? createComposition(width, height) : undefined
  let { layout, streams } = setup
  let isPaused = false
  let isStale = true
  let frames = 0

  return {
    setup,
    encoder,
    get isPaused() {
      return isPaused
    },
    get seconds() {
      return frames / FRAMES_PER_SECOND
    },
    setLayout(next) {
      layout = next
      isStale = true
    },
    setStreams(next) {
      streams = next
      isStale = true
    },
    pause() {
      isPaused = true
    },
    resume() {
      isPaused = false
      isStale = true // the composition has missed what was new meanwhile
    },
    rearrange() {
      isStale = true
    },
    async draw() {
      const { seen, heard } = session.chosen(streams)
      if (isStale && composition) {
        const placements = arrange(layout, seen, width, height)
        composition.arrange(placements.map(({ stream, cell }) => ({ stream: stream.source, cell })))
      }
      isStale = false
      composition?.draw()
      const buffer = await encoder.nextBuffer()
      if (!buffer) return
      if (composition) buffer.picture.set(composition.picture.data)
      if (hasAudio)
        mixVoices(
          heard.map(({ source }) => source.sound),
          buffer.sound,
        )
      encoder.send(buffer)
      frames++
    },
  }
}
