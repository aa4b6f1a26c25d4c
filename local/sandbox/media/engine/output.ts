import type { Size } from '../composing/picture.ts'
import type { Layout, StreamChoice } from '../media.ts'
import type { Source } from '../sources/source.ts'
import type { FinishedOutput, OutputSetup } from './commands.ts'

/** One archive or broadcast in the making. */
export interface Output {
  readonly setup: OutputSetup
  /** Resolves when it can be drawn. */
  readonly started: Promise<void>
  /** Rejects with a MediaError when it breaks before it was asked to end. */
  readonly failed: Promise<never>
  readonly isPaused: boolean
  /** Recorded time in seconds. */
  readonly seconds: number
  setLayout(layout: Layout): void
  setStreams(streams: readonly StreamChoice[]): void
  pause(): void
  resume(): void
  /** Streams came, went or changed. */
  rearrange(): void
  /** Takes in what has changed, before the sources are moved on to the next frame. */
  arrange(): void
  /** How large it needs the picture of a source; undefined where it does not show it. */
  sizeOf(source: Source): Size | undefined
  /** Draws the session's sources as they are now and hands them to the encoder, as soon as it takes them. */
  draw(): Promise<void>
  /** Waits until everything that was drawn is written. */
  finish(): Promise<FinishedOutput>
  /** Ends at once, also after a failure; what was broadcast so far stays. */
  discard(): Promise<void>
}
