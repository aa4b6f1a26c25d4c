import { type Picture, type Plane, type Rect, wholeOf } from './picture.ts'

/**
 * Scaler from a part of a picture to a place in another: it interpolates when it enlarges, averages when it shrinks, and
 * copies equal sizes. Lines are weighted horizontally and then vertically, with precomputed weights.
 */
export type Scaler = ReturnType<typeof createScaler>

/** Creates a scaler from `source`, or its visible part, to `place` in `target`. */
export function createScaler(source: Picture, target: Picture, place: Rect, seen: Rect = wholeOf(source)) {
  const [drawBrightness, drawBlue, drawRed] = ([0, 1, 2] as const).map((index) => {
    const [from, to] = index === 0 ? [seen, place] : [halfOf(seen), halfOf(place)]
    return createPlaneScaler(source.planes[index], from, target.planes[index], to)
  }) as [DrawPart, DrawPart, DrawPart]
  return {
    /** Draws the target pixels that depend on `part` of the source, and returns their place. */
    draw(part: Rect): Rect {
      const inBrightness = drawBrightness(part)
      const inColour = drawBlue(halfOf(part))
      drawRed(halfOf(part))
      return around(inBrightness, doubleOf(inColour))
    },
  }
}

type DrawPart = (part: Rect) => Rect

const halfOf = ({ x, y, width, height }: Rect): Rect => ({
  x: x >> 1,
  y: y >> 1,
  width: width >> 1,
  height: height >> 1,
})
const doubleOf = ({ x, y, width, height }: Rect): Rect => ({ x: 2 * x, y: 2 * y, width: 2 * width, height: 2 * height })

function around(a: Rect, b: Rect): Rect {
  const x = Math.min(a.x, b.x)
  const y = Math.min(a.y, b.y)
  const width = Math.max(a.x + a.width, b.x + b.width) - x
  return { x, y, width, height: Math.max(a.y + a.height, b.y + b.height) - y }
}

/** Source pixels of each target pixel along one axis, with their weights, whose sum is 256. */
interface Axis {
  readonly length: number
  readonly taps: number
  readonly first: Int32Array
  readonly weights: Int32Array
}

function createPlaneScaler(source: Plane, seen: Rect, target: Plane, place: Rect): DrawPart {
  const across = createAxis(seen.width, place.width)
  const down = createAxis(seen.height, place.height)
  const isCopy = across.taps === 1 && down.taps === 1
  const lines = new Uint16Array(isCopy ? 0 : seen.height * place.width)
  const beginning = seen.y * source.width + seen.x

  return (part) => {
    const [left, right] = reach(across, part.x - seen.x, part.x - seen.x + part.width)
    const [top, bottom] = reach(down, part.y - seen.y, part.y - seen.y + part.height)
    const drawn = { x: place.x + left, y: place.y + top, width: right - left, height: bottom - top }
    if (left >= right || top >= bottom) return drawn
    const origin = place.y * target.width + place.x
    if (isCopy) {
      for (let row = top; row < bottom; row++) {
        const from = beginning + row * source.width
        target.data.set(source.data.subarray(from + left, from + right), origin + row * target.width + left)
      }
      return drawn
    }
    const firstLine = down.first[top] as number
    const lastLine = (down.first[bottom - 1] as number) + down.taps
    for (let line = firstLine; line < lastLine; line++) {
      weighAcross(source.data, beginning + line * source.width, across, lines, line * place.width, left, right)
    }
    for (let row = top; row < bottom; row++) {
      weighDown(lines, place.width, down, row, target.data, origin + row * target.width, left, right)
    }
    return drawn
  }
}

function weighAcross(
  source: Uint8Array,
  line: number,
  { taps, first, weights }: Axis,
  lines: Uint16Array,
  to: number,
  left: number,
  right: number,
) {
  if (taps === 2) {
    for (let x = left; x < right; x++) {
      const at = line + (first[x] as number)
      lines[to + x] =
        (source[at] as number) * (weights[2 * x] as number) +
        (source[at + 1] as number) * (weights[2 * x + 1] as number)
    }
    return
  }
  for (let x = left; x < right; x++) {
    const at = line + (first[x] as number)
    let sum = 0
    for (let tap = 0; tap < taps; tap++) sum += (source[at + tap] as number) * (weights[x * taps + tap] as number)
    lines[to + x] = sum
  }
}

function weighDown(
  lines: Uint16Array,
  width: number,
  { taps, first, weights }: Axis,
  row: number,
  target: Uint8Array,
  to: number,
  left: number,
  right: number,
) {
  const from = (first[row] as number) * width
  const ROUND = 1 << 15
  if (taps === 2) {
    const upper = weights[2 * row] as number
    const lower = weights[2 * row + 1] as number
    for (let x = left; x < right; x++) {
      target[to + x] = ((lines[from + x] as number) * upper + (lines[from + width + x] as number) * lower + ROUND) >> 16
    }
    return
  }
  for (let x = left; x < right; x++) {
    let sum = ROUND
    for (let tap = 0; tap < taps; tap++) {
      sum += (lines[from + tap * width + x] as number) * (weights[row * taps + tap] as number)
    }
    target[to + x] = sum >> 16
  }
}

/** Returns the range of target pixels that depend on the source pixels from `start` to before `end`. */
function reach({ length, taps, first }: Axis, start: number, end: number): [number, number] {
  let low = 0
  while (low < length && (first[low] as number) + taps <= start) low++
  let high = length
  while (high > low && (first[high - 1] as number) >= end) high--
  return [low, high]
}

function createAxis(from: number, to: number): Axis {
  const shares = Array.from({ length: to }, (_, index) =>
    to >= from ? between(index, from, to) : covered(index, from, to),
  )
  const taps = Math.max(...shares.map((share) => share.weights.length))
  const axis = { length: to, taps, first: new Int32Array(to), weights: new Int32Array(to * taps) }
  shares.forEach(({ first, weights }, index) => {
    const start = Math.min(first, from - taps) // the last pixels read back, not past the end
    axis.first[index] = start
    weights.forEach((weight, tap) => {
      axis.weights[index * taps + first - start + tap] = weight
    })
  })
  return axis
}

interface Share {
  readonly first: number
  readonly weights: readonly number[]
}

/** Returns the share of a pixel in an enlarged picture, which is between two source pixels. */
function between(index: number, from: number, to: number): Share {
  const middle = Math.min(from - 1, Math.max(0, ((index + 0.5) * from) / to - 0.5))
  const first = Math.floor(middle)
  const second = Math.round((middle - first) * 256)
  return second === 0 ? { first, weights: [256] } : { first, weights: [256 - second, second] }
}

/** Returns the share of a pixel in a shrunk picture, which covers several source pixels, some of them in part. */
function covered(index: number, from: number, to: number): Share {
  const start = (index * from) / to
  const end = ((index + 1) * from) / to
  const first = Math.floor(start)
  const weights: number[] = []
  let given = 0
  for (let pixel = first; pixel < Math.ceil(end); pixel++) {
    const coveredSoFar = (Math.min(pixel + 1, end) - start) / (end - start)
    const weight = Math.round(coveredSoFar * 256) - given
    given += weight
    weights.push(weight)
  }
  return { first, weights }
}
