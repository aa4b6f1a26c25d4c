import type { Size } from '../composing/picture.ts'
import type { Layout, StreamChoice, Viewer } from '../media.ts'
import type { Source } from '../sources/source.ts'
import type { FinishedOutput, OutputSetup } from './commands.ts'

/** An archive or broadcast that is being encoded. */
export interface EncodedOutput {
  readonly setup: OutputSetup
  /** Resolves when it can be drawn. */
  readonly started: Promise<void>
  /** Rejects with a MediaError when the output fails before its end. */
  readonly failed: Promise<never>
  readonly isPaused: boolean
  /** Recorded time in seconds. */
  readonly seconds: number
  setLayout(layout: Layout): void
  setStreams(streams: readonly StreamChoice[]): void
  pause(): void
  resume(): void
  /** Notes that the session's streams have changed. */
  rearrange(): void
  /** Applies changes, before the sources show the next frame. */
  arrange(): void
  /** Returns the size in which it needs the picture of a source; undefined if it does not show the source. */
  sizeOf(source: Source): Size | undefined
  /** Returns true if it may show or play a stream. */
  uses(streamId: string): boolean
  /** Draws the session's sources and sends the frame to the encoder, once it has room. */
  draw(frame: number): Promise<void>
  /** Waits until all drawn frames are written. */
  finish(): Promise<FinishedOutput>
  /**
   * Encodes what it draws for clients as well, until `unwatch`, its end or a failure of that encoder.
   * @throws {@link MediaError} for an output without one picture for all
   */
  watch(viewer: Viewer): void
  unwatch(): Promise<void>
  /** Ends at once, also after a failure. Segments of a broadcast stay. */
  discard(): Promise<void>
}
