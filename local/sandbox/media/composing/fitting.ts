import type { Fit } from '../../../../lib/platform/layouts/layouts.ts'
import { even, type Rect, type Size, wholeOf } from './picture.ts'

export interface Fitted {
  /** Place of the whole picture, without cropping. */
  readonly whole: Rect
  /** Part of it inside the cell and the frame. */
  readonly place: Rect
}

/** Returns the place of a picture of a size in a frame; undefined if none of it is visible. */
export function fitPicture(
  size: Size,
  { cell, fit = 'contain' }: { readonly cell: Rect; readonly fit?: Fit | undefined },
  frame: Size,
): Fitted | undefined {
  const whole = fit === 'cover' ? covering(size, cell) : letterbox(size, cell)
  const place = intersection(intersection(whole, cell), wholeOf(frame))
  return place.width < 2 || place.height < 2 ? undefined : { whole, place }
}

/** Returns the visible part of a picture, in the picture's current size. */
export function partOf(picture: Size, { whole, place }: Fitted): Rect {
  const across = stretchOf(picture.width, whole.width, place.x - whole.x, place.width)
  const down = stretchOf(picture.height, whole.height, place.y - whole.y, place.height)
  return { x: across.start, y: down.start, width: across.length, height: down.length }
}

/** Returns the smallest size of a picture that loses no detail: as it is drawn, or its own if that is smaller. */
export const sizeDrawn = ({ width, height }: Size, { whole }: Fitted): Size =>
  whole.width < width && whole.height < height ? { width: whole.width, height: whole.height } : { width, height }

/** Returns the largest centred part of a cell with the proportions of a picture. */
export function letterbox(picture: Size, cell: Rect): Rect {
  const scale = Math.min(cell.width / picture.width, cell.height / picture.height)
  return centre(cell, even(picture.width * scale + 0.5), even(picture.height * scale + 0.5))
}

/** Returns the smallest centred place with the proportions of a picture that covers a cell. */
function covering(picture: Size, cell: Rect): Rect {
  const scale = Math.max(cell.width / picture.width, cell.height / picture.height)
  return centre(cell, even(picture.width * scale + 1.5), even(picture.height * scale + 1.5))
}

function centre(cell: Rect, width: number, height: number): Rect {
  const size = { width: Math.max(2, width), height: Math.max(2, height) }
  return { x: cell.x + even((cell.width - size.width) / 2), y: cell.y + even((cell.height - size.height) / 2), ...size }
}

/** Returns the source pixels along one axis that a part of the drawn length shows. */
function stretchOf(source: number, drawn: number, start: number, length: number) {
  const scale = source / drawn
  return { start: even(start * scale), length: Math.max(2, even(length * scale + 1)) }
}

function intersection(a: Rect, b: Rect): Rect {
  const x = Math.max(a.x, b.x)
  const y = Math.max(a.y, b.y)
  return {
    x,
    y,
    width: Math.min(a.x + a.width, b.x + b.width) - x,
    height: Math.min(a.y + a.height, b.y + b.height) - y,
  }
}
