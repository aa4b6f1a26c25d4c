import type { Picture, Rect } from '../composing/picture.ts'
import { paletteIdentityOf } from './palette.ts'
import { PATTERN } from './pattern.ts'
import { readTimecode, TIMECODE_FIELDS } from './timecode.ts'

/** Greatest distance of a pixel from a participant's colour after encoding. */
const COLOUR_TOLERANCE = 12
/** Number of participants whose colours are distinguished. */
const PLACES = 16
const NO_PLACE = -1
/** Place with the nearest colour, for every pair of colour values. */
const nearestPlace = Int8Array.from({ length: 256 * 256 }, (_, pair) => nearestTo(pair >> 8, pair & 255))
/** Minimum pixels in a row or column: fewer are noise at an edge. */
const MIN_PIXELS = 6
/** Minimum size of a cell: anything smaller is the seam between two colours. The smallest real cell is four times as large. */
const MIN_SIZE = 8

/**
 * Finds the participants by their colours: returns the bounding box of each visible place (the order of publishing, from 0),
 * exact to two pixels.
 */
export function findCells(picture: Picture): Map<number, Rect> {
  const [, blue, red] = picture.planes
  const counts = Array.from({ length: PLACES }, () => ({
    columns: new Uint32Array(blue.width),
    rows: new Uint32Array(blue.height),
  }))
  for (let y = 0; y < blue.height; y++) {
    for (let x = 0; x < blue.width; x++) {
      const at = y * blue.width + x
      const count = counts[nearestPlace[(blue.data[at] as number) * 256 + (red.data[at] as number)] as number]
      if (!count) continue
      count.columns[x] = (count.columns[x] as number) + 1
      count.rows[y] = (count.rows[y] as number) + 1
    }
  }
  const found = new Map<number, Rect>()
  for (const [place, { columns, rows }] of counts.entries()) {
    const [left, right] = extent(columns)
    const [top, bottom] = extent(rows)
    if (Math.min(right - left, bottom - top) >= MIN_SIZE)
      found.set(place, { x: 2 * left, y: 2 * top, width: 2 * (right - left), height: 2 * (bottom - top) })
  }
  return found
}

function nearestTo(u: number, v: number): number {
  const distances = Array.from({ length: PLACES }, (_, place) => {
    const { colour } = paletteIdentityOf(place)
    return Math.hypot(u - colour.u, v - colour.v)
  })
  const least = Math.min(...distances)
  return least < COLOUR_TOLERANCE ? distances.indexOf(least) : NO_PLACE
}

function extent(counts: Uint32Array): [number, number] {
  const isPart = (count: number) => count >= MIN_PIXELS
  return [counts.findIndex(isPart), counts.findLastIndex(isPart) + 1]
}

/** Returns the number of the frame (modulo 2^24) that a participant's cell shows; undefined when it is unreadable. */
export function readCellTimecode(picture: Picture, cell: Rect): number | undefined {
  const { x, y, width, height } = PATTERN.timecode
  const fields = Array.from({ length: TIMECODE_FIELDS }, (_, index) => {
    const place = { x: x + ((index + 0.5) * width) / TIMECODE_FIELDS, y: y + height / 2 }
    return brightnessAt(picture, cell, place) > 126
  })
  return readTimecode(fields)
}

/** Returns true if a participant's disc is white, as in the first 100 ms of each second. */
export function isLit(picture: Picture, cell: Rect): boolean {
  const { x, y, width, height } = PATTERN.disc
  const around = Array.from({ length: 16 }, (_, index) => {
    const angle = (index * Math.PI) / 8
    const radius = 0.42 * width // between the initial and the edge
    return { x: x + width / 2 + radius * Math.cos(angle), y: y + height / 2 + radius * Math.sin(angle) }
  })
  const sum = around.reduce((total, place) => total + brightnessAt(picture, cell, place), 0)
  return sum / around.length > 185
}

/** Returns the brightness at a place of the pattern, for a cell of any place and size. */
function brightnessAt(picture: Picture, cell: Rect, { x, y }: { x: number; y: number }): number {
  const column = Math.floor(cell.x + (x * cell.width) / PATTERN.width)
  const row = Math.floor(cell.y + (y * cell.height) / PATTERN.height)
  return picture.planes[0].data[row * picture.width + column] as number
}
