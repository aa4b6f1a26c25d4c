import { letterbox, type Placement } from './layouts.ts'
import { BLACK, createPicture, fill, type Picture, type Rect } from './picture.ts'
import { createScaler, type Scaler } from './scaler.ts'

/** A picture that moves on frame by frame, and says what is new in it. */
export interface MovingPicture {
  readonly picture: Picture
  /** The parts that differ from the frame before. */
  readonly changed: readonly Rect[]
}

/**
 * Many moving pictures drawn into one. It keeps what it has drawn and redraws only what is new, which is what makes
 * several outputs affordable: so it must be drawn at every frame, or arranged anew after a gap.
 */
export interface Composition {
  readonly picture: Picture
  /** Starts over with these pictures in these cells. */
  arrange(placements: readonly Placement<MovingPicture>[]): void
  draw(): void
}

/** Makes an empty, black composition. */
export function createComposition(width: number, height: number): Composition {
  const picture = createPicture(width, height)
  let cells: readonly { stream: MovingPicture; scaler: Scaler }[] = []
  let isFresh = true
  return {
    picture,
    arrange(placements) {
      isFresh = true
      cells = placements.map(({ stream, cell }) => ({
        stream,
        scaler: createScaler(stream.picture, picture, letterbox(stream.picture, cell)),
      }))
    },
    draw() {
      if (isFresh) fill(picture, BLACK)
      for (const { stream, scaler } of cells) {
        if (isFresh) scaler.draw({ x: 0, y: 0, ...stream.picture })
        else for (const part of stream.changed) scaler.draw(part)
      }
      isFresh = false
    },
  }
}
