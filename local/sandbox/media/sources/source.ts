import type { MovingPicture } from '../composing/composition.ts'
import type { Size } from '../composing/picture.ts'

/** A participant's picture and audio, frame by frame. */
export interface Source extends MovingPicture {
  /** Samples of the frame; undefined is silence. */
  readonly audio: Int16Array | undefined
  /** Its size differs from that of the frame before. */
  readonly isResized?: boolean
  /** Shows a frame, by its number since the epoch. `size` is the largest in which it is drawn; absent if it is not drawn. */
  show(frame: number, size?: Size): void | Promise<void>
  /** Kills its decoders, if it has any; resolves when they are gone. */
  close?(): Promise<void>
}
