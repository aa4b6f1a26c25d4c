import { type Fitted, fitPicture, partOf, sizeDrawn } from './fitting.ts'
import type { Placement } from './layouts.ts'
import { BLACK, createPicture, fill, type Picture, type Rect, type Size, wholeOf } from './picture.ts'
import { createScaler, type Scaler } from './scaler.ts'

/** A picture that moves on frame by frame, and says what is new in it. It has a size of its own, by which it is arranged. */
export interface MovingPicture extends Size {
  /** As large as that, or smaller where nobody draws it larger; another one when that changes. */
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
  /** How large a picture is needed to be drawn as it is arranged; undefined where it is not seen. */
  sizeOf(stream: MovingPicture): Size | undefined
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
        const fitted = fitPicture(stream, cell, picture)
        return fitted ? [createCell(stream, fitted, picture)] : []
      })
    },
    sizeOf: (stream) => cells.find((cell) => cell.stream === stream)?.size,
    draw() {
      if (isFresh) fill(picture, BLACK)
      const drawn: Rect[] = []
      for (const { stream, place, draw } of cells) {
        const isPaintedOver = drawn.some((part) => overlap(part, place))
        const parts = isFresh || isPaintedOver ? [wholeOf(stream.picture)] : stream.changed
        for (const part of parts) drawn.push(draw(part))
      }
      isFresh = false
    },
  }
}

interface Cell {
  readonly stream: MovingPicture
  readonly size: Size
  readonly place: Rect
  /** Draws what depends on a part of the picture, and returns where that was. */
  draw(part: Rect): Rect
}

function createCell(stream: MovingPicture, fitted: Fitted, frame: Picture): Cell {
  let known: { readonly picture: Picture; readonly scaler: Scaler } | undefined
  return {
    stream,
    size: sizeDrawn(stream, fitted),
    place: fitted.place,
    draw(part) {
      const { picture } = stream
      if (known?.picture !== picture)
        known = { picture, scaler: createScaler(picture, frame, fitted.place, partOf(picture, fitted)) }
      return known.scaler.draw(part)
    },
  }
}

const overlap = (a: Rect, b: Rect) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
