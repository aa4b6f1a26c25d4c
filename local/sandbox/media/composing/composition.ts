import { fitPicture } from './fitting.ts'
import type { Placement } from './layouts.ts'
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
  let cells: readonly Cell[] = []
  let isFresh = true
  return {
    picture,
    arrange(placements) {
      isFresh = true
      cells = placements.flatMap(({ stream, ...cell }) => {
        const fitted = fitPicture(stream.picture, cell, picture)
        if (!fitted) return []
        const { place, part } = fitted
        return [{ stream, place, scaler: createScaler(stream.picture, picture, place, part) }]
      })
    },
    draw() {
      if (isFresh) fill(picture, BLACK)
      const drawn: Rect[] = []
      for (const { stream, place, scaler } of cells) {
        const isPaintedOver = drawn.some((part) => overlap(part, place))
        const parts = isFresh || isPaintedOver ? [{ x: 0, y: 0, ...stream.picture }] : stream.changed
        for (const part of parts) drawn.push(scaler.draw(part))
      }
      isFresh = false
    },
  }
}

interface Cell {
  readonly stream: MovingPicture
  readonly place: Rect
  readonly scaler: Scaler
}

const overlap = (a: Rect, b: Rect) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
