import { even, type Rect, type Size } from '../../../../lib/platform/layouts/rectangles.ts'

export { even, type Rect, type Size }

/** A picture in I420: a plane of brightness (16 to 235) and two of colour (around 128) at half the width and height. */
export interface Picture extends Size {
  /** The three planes one after the other, as ffmpeg reads and writes them. */
  readonly data: Uint8Array
  readonly planes: readonly [Plane, Plane, Plane]
}

export interface Plane extends Size {
  readonly data: Uint8Array
}

export interface Colour {
  readonly y: number
  readonly u: number
  readonly v: number
}

/** Opacity per pixel, 0 to 255, of something to be painted in one colour. Width and height are even. */
export interface Mask extends Size {
  readonly alpha: Uint8Array
}

export const BLACK: Colour = { y: 16, u: 128, v: 128 }
export const WHITE: Colour = { y: 235, u: 128, v: 128 }

export const isSameSize = (a: Size | undefined, b: Size | undefined) => a?.width === b?.width && a?.height === b?.height

/** Returns the widest of several sizes of one picture. */
export const largestOf = (sizes: readonly (Size | undefined)[]): Size | undefined =>
  sizes.reduce((largest, size) => (size && size.width > (largest?.width ?? 0) ? size : largest), undefined)

export const wholeOf = ({ width, height }: Size): Rect => ({ x: 0, y: 0, width, height })

/** Creates a black picture, or one on the given bytes; width and height are even. */
export function createPicture(width: number, height: number, data?: Uint8Array): Picture {
  const size = width * height
  const bytes = data ?? new Uint8Array(size * 1.5)
  const plane = (start: number, half: 1 | 2): Plane => {
    const length = size / (half * half)
    return { width: width / half, height: height / half, data: bytes.subarray(start, start + length) }
  }
  const picture: Picture = { width, height, data: bytes, planes: [plane(0, 1), plane(size, 2), plane(size * 1.25, 2)] }
  if (!data) fill(picture, BLACK)
  return picture
}

export function fill(picture: Picture, colour: Colour, part: Rect = wholeOf(picture)): void {
  eachPlane(picture, part, (plane, { x, y, width, height }, index) => {
    const value = index === 0 ? colour.y : index === 1 ? colour.u : colour.v
    for (let row = y; row < y + height; row++) {
      const start = row * plane.width + x
      plane.data.fill(value, start, start + width)
    }
  })
}

/** Copies a part between pictures of the same size. */
export function copyPart(from: Picture, to: Picture, part: Rect): void {
  eachPlane(to, part, (plane, { x, y, width, height }, index) => {
    const source = from.planes[index].data
    for (let row = y; row < y + height; row++) {
      const start = row * plane.width + x
      plane.data.set(source.subarray(start, start + width), start)
    }
  })
}

/** Paints a mask in one colour at an even place, which must lie inside the picture. */
export function paint(picture: Picture, mask: Mask, x: number, y: number, colour: Colour): void {
  const [brightness, blue, red] = picture.planes
  const { width, height, alpha } = mask
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      mix(brightness.data, (y + row) * brightness.width + x + column, colour.y, alpha[row * width + column] as number)
    }
  }
  for (let row = 0; row < height; row += 2) {
    for (let column = 0; column < width; column += 2) {
      const at = row * width + column
      const sum =
        (alpha[at] as number) +
        (alpha[at + 1] as number) +
        (alpha[at + width] as number) +
        (alpha[at + width + 1] as number)
      const place = ((y + row) >> 1) * blue.width + ((x + column) >> 1)
      mix(blue.data, place, colour.u, sum / 4)
      mix(red.data, place, colour.v, sum / 4)
    }
  }
}

function mix(data: Uint8Array, place: number, value: number, alpha: number) {
  const before = data[place] as number
  data[place] = Math.round(before + ((value - before) * alpha) / 255)
}

function eachPlane(picture: Picture, part: Rect, act: (plane: Plane, part: Rect, index: 0 | 1 | 2) => void) {
  const half = { x: part.x >> 1, y: part.y >> 1, width: part.width >> 1, height: part.height >> 1 }
  act(picture.planes[0], part, 0)
  act(picture.planes[1], half, 1)
  act(picture.planes[2], half, 2)
}
