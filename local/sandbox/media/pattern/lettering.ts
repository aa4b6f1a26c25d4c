import type { Mask } from '../composing/picture.ts'
import { CAPITAL_ROWS, GLYPH_COLUMNS, GLYPH_ROWS, glyphOf } from './font.ts'

/** Glyphs of one size, drawn with a round pen along the dots of the font. */
export type Lettering = ReturnType<typeof createLettering>

/** Width of the pen in dots. */
const PEN = 0.92

/** Creates glyphs whose dots are `dot` pixels apart. */
export function createLettering(dot: number) {
  const margin = even(dot * PEN)
  const masks = new Map<string, Mask>()
  return {
    /** Pixels from one character to the next. */
    advance: even(dot * (GLYPH_COLUMNS + 1)),
    /** Height of a capital letter in pixels. */
    capitalHeight: dot * (CAPITAL_ROWS - 1),
    margin,
    /** Returns a glyph. Its mask begins `margin` pixels to the left of and above the first dot. */
    glyph(character: string): Mask {
      let mask = masks.get(character)
      if (!mask) {
        mask = drawGlyph(glyphOf(character), dot, margin)
        masks.set(character, mask)
      }
      return mask
    },
  }
}

interface Stroke {
  readonly x1: number
  readonly y1: number
  readonly x2: number
  readonly y2: number
}

function drawGlyph(rows: readonly string[], dot: number, margin: number): Mask {
  const width = even(dot * (GLYPH_COLUMNS - 1)) + 2 * margin
  const height = even(dot * (GLYPH_ROWS - 1)) + 2 * margin
  const radius = (dot * PEN) / 2
  const depths = new Float64Array(width * height).fill(Number.NEGATIVE_INFINITY)
  for (const stroke of strokesOf(rows)) {
    const [left, right] = touched(stroke.x1, stroke.x2, dot, margin, width)
    const [top, bottom] = touched(stroke.y1, stroke.y2, dot, margin, height)
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) {
        const depth = radius - distance((x + 0.5 - margin) / dot, (y + 0.5 - margin) / dot, stroke) * dot
        depths[y * width + x] = Math.max(depths[y * width + x] as number, depth)
      }
    }
  }
  return drawMask(width, height, (x, y) => depths[Math.floor(y) * width + Math.floor(x)] as number)
}

/** Returns the range of pixels along one axis that a stroke between two dots can touch. */
function touched(one: number, other: number, dot: number, margin: number, length: number): [number, number] {
  const start = Math.floor(margin + (Math.min(one, other) - PEN) * dot)
  const end = Math.ceil(margin + (Math.max(one, other) + PEN) * dot)
  return [Math.max(0, start), Math.min(length, end)]
}

/** Joins neighbouring dots: straight ones always, diagonal ones if no straight path connects them. */
function strokesOf(rows: readonly string[]): Stroke[] {
  const has = (x: number, y: number) => rows[y]?.[x] === '#'
  const strokes: Stroke[] = []
  for (let y = 0; y < GLYPH_ROWS; y++) {
    for (let x = 0; x < GLYPH_COLUMNS; x++) {
      if (!has(x, y)) continue
      strokes.push({ x1: x, y1: y, x2: x, y2: y })
      if (has(x + 1, y)) strokes.push({ x1: x, y1: y, x2: x + 1, y2: y })
      if (has(x, y + 1)) strokes.push({ x1: x, y1: y, x2: x, y2: y + 1 })
      for (const side of [-1, 1]) {
        const isCorner = has(x + side, y) || has(x, y + 1)
        if (has(x + side, y + 1) && !isCorner) strokes.push({ x1: x, y1: y, x2: x + side, y2: y + 1 })
      }
    }
  }
  return strokes
}

function distance(x: number, y: number, { x1, y1, x2, y2 }: Stroke): number {
  const along = (x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)
  const share = Math.min(1, Math.max(0, along / ((x2 - x1) ** 2 + (y2 - y1) ** 2 || 1)))
  return Math.hypot(x - x1 - share * (x2 - x1), y - y1 - share * (y2 - y1))
}

/** Creates a mask from the depth of each pixel's centre inside a shape, in pixels; edges are smoothed over one pixel. */
export function drawMask(width: number, height: number, depth: (x: number, y: number) => number): Mask {
  const alpha = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      alpha[y * width + x] = Math.round(255 * Math.min(1, Math.max(0, depth(x + 0.5, y + 0.5) + 0.5)))
    }
  }
  return { width, height, alpha }
}

function even(value: number): number {
  return 2 * Math.ceil(value / 2)
}
