import type { Rect } from './picture.ts'

/** How a picture of other proportions fills its cell: seen whole between black bars, or cut to the cell. */
export type Fit = 'contain' | 'cover'

interface Size {
  readonly width: number
  readonly height: number
}

/**
 * Where a picture is drawn in a frame, and which part of it: what would be outside its cell or the frame is left out.
 * Undefined when nothing of it is seen.
 */
export function fitPicture(
  picture: Size,
  { cell, fit = 'contain' }: { readonly cell: Rect; readonly fit?: Fit | undefined },
  frame: Size,
): { place: Rect; part: Rect } | undefined {
  const whole = fit === 'cover' ? covering(picture, cell) : letterbox(picture, cell)
  const place = intersection(intersection(whole, cell), { x: 0, y: 0, ...frame })
  if (place.width < 2 || place.height < 2) return undefined
  const across = partOf(picture.width, whole.width, place.x - whole.x, place.width)
  const down = partOf(picture.height, whole.height, place.y - whole.y, place.height)
  return { place, part: { x: across.start, y: down.start, width: across.length, height: down.length } }
}

/** The largest part of a cell, in its middle, that has the proportions of a picture. */
export function letterbox(picture: Size, cell: Rect): Rect {
  const scale = Math.min(cell.width / picture.width, cell.height / picture.height)
  return inTheMiddle(cell, even(picture.width * scale + 0.5), even(picture.height * scale + 0.5))
}

/** The least of the proportions of a picture that a cell lies in. */
function covering(picture: Size, cell: Rect): Rect {
  const scale = Math.max(cell.width / picture.width, cell.height / picture.height)
  return inTheMiddle(cell, even(picture.width * scale + 1.5), even(picture.height * scale + 1.5))
}

function inTheMiddle(cell: Rect, width: number, height: number): Rect {
  const size = { width: Math.max(2, width), height: Math.max(2, height) }
  return { x: cell.x + even((cell.width - size.width) / 2), y: cell.y + even((cell.height - size.height) / 2), ...size }
}

/** The source pixels along one axis that a part of the drawn length shows. */
function partOf(source: number, drawn: number, start: number, length: number) {
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

const even = (value: number) => 2 * Math.floor(value / 2)
