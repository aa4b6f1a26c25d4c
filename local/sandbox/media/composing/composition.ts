import { limits } from '../../../../lib/platform/contract/limits.ts'
import type { Placement } from '../../../../lib/platform/layouts/layouts.ts'
import { type Fitted, fitPicture, partOf, sizeDrawn } from './fitting.ts'
import { BLACK, createPicture, fill, type Picture, type Rect, type Size, wholeOf } from './picture.ts'
import { createScaler, type Scaler } from './scaler.ts'

/** Maximum number of visible pictures: the platform's limit of a composed archive. */
export const MAX_PICTURES = limits.archiveVideoStreams.value

/** A picture that changes frame by frame and reports its changes. It is arranged by its own size. */
export interface MovingPicture extends Size {
  /** The current picture: in the full size, or smaller if no output draws it larger. A new size is a new object. */
  readonly picture: Picture
  /** Parts that differ from the frame before. */
  readonly changed: readonly Rect[]
}

/**
 * Many moving pictures in one. It redraws only the changes, which makes several outputs affordable. So it must be drawn at
 * every frame, or arranged again after a gap.
 */
export type Composition = ReturnType<typeof createComposition>

/** Creates an empty, black composition. */
export function createComposition(width: number, height: number) {
  const picture = createPicture(width, height)
  let cells: readonly Cell[] = []
  let isFresh = true
  return {
    picture,
    /** Starts over with these pictures in these cells. */
    arrange(placements: readonly Placement<MovingPicture>[]): void {
      isFresh = true
      cells = placements.flatMap(({ stream, ...cell }) => {
        const fitted = fitPicture(stream, cell, picture)
        return fitted ? [createCell(stream, fitted, picture)] : []
      })
    },
    /** Returns the size in which a picture is drawn; undefined if it is not visible. */
    sizeOf: (stream: MovingPicture) => cells.find((cell) => cell.stream === stream)?.size,
    draw(): void {
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

type Cell = ReturnType<typeof createCell>

function createCell(stream: MovingPicture, fitted: Fitted, frame: Picture) {
  let known: { readonly picture: Picture; readonly scaler: Scaler } | undefined
  return {
    stream,
    size: sizeDrawn(stream, fitted),
    place: fitted.place,
    /** Draws the pixels that depend on a part of the picture, and returns their place. */
    draw(part: Rect): Rect {
      const { picture } = stream
      if (known?.picture !== picture)
        known = { picture, scaler: createScaler(picture, frame, fitted.place, partOf(picture, fitted)) }
      return known.scaler.draw(part)
    },
  }
}

const overlap = (a: Rect, b: Rect) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
