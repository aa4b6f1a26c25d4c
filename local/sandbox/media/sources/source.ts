import type { MovingPicture } from '../composing/composition.ts'
import type { Size } from '../composing/picture.ts'

/** A participant's picture and audio, moved on frame by frame. */
export interface Source extends MovingPicture {
  /** The frame's samples; undefined is silence. */
  readonly audio: Int16Array | undefined
  /** Moves on to a frame, by its number since the epoch; `size` is the largest that it is drawn in, if it is drawn. */
  show(frame: number, size?: Size): void | Promise<void>
  /** Ends what decodes it, where something does; resolves when that is gone. */
  close?(): Promise<void>
}
