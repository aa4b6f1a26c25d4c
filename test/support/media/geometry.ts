import type { Rect } from '../../../local/sandbox/media/composing/picture.ts'
import type { Layout } from '../../../local/sandbox/media/media.ts'
import { findCells } from './cells.ts'
import { drawFrame, type Onlooked } from './frames.ts'

/**
 * Where pictures belong by docs/sandbox.md, worked out apart from the compositor: in fractions of the frame, by hand where
 * the rule is a choice. Every picture is as wide as 4 to 3.
 */
export const RESOLUTIONS = ['640x480', '1280x720', '1920x1080', '480x640', '720x1280', '1080x1920'] as const
export type Resolution = (typeof RESOLUTIONS)[number]
export const COUNTS = [1, 2, 4, 9, 16] as const
export type Count = (typeof COUNTS)[number]

/** Columns of bestFit: as many as make the pictures largest, tried by hand. */
const COLUMNS: Readonly<Record<Resolution, Readonly<Record<Count, number>>>> = {
  '640x480': { 1: 1, 2: 2, 4: 2, 9: 3, 16: 4 },
  '1280x720': { 1: 1, 2: 2, 4: 2, 9: 3, 16: 4 },
  '1920x1080': { 1: 1, 2: 2, 4: 2, 9: 3, 16: 4 },
  '480x640': { 1: 1, 2: 1, 4: 2, 9: 2, 16: 3 },
  '720x1280': { 1: 1, 2: 1, 4: 1, 9: 2, 16: 3 },
  '1080x1920': { 1: 1, 2: 1, 4: 1, 9: 2, 16: 3 },
}

/** A stylesheet that gives each of up to 16 streams a sixteenth of the frame, but for the first. */
const SIXTEENTHS = 'stream { float: left; width: 25%; height: 25% }'

/** In fractions of the frame. */
type Part = readonly [x: number, y: number, width: number, height: number]
type Layouts = Exclude<Layout['type'], 'bestFit'>

const WHOLE: Part = [0, 0, 1, 1]

/** The part of the frame that each has, the prominent one first; whoever has none is not seen. */
const PARTS: Readonly<Record<Layouts, (count: number) => Part[]>> = {
  pip: (count) => (count === 1 ? [WHOLE] : [WHOLE, [0.7, 0.05, 0.25, 0.25]]),
  verticalPresentation: (count) =>
    count === 1 ? [WHOLE] : [[0.2, 0, 0.8, 1], ...equal(count - 1, (start, size): Part => [0, start, 0.2, size])],
  horizontalPresentation: (count) =>
    count === 1 ? [WHOLE] : [[0, 0.2, 1, 0.8], ...equal(count - 1, (start, size): Part => [start, 0, size, 0.2])],
  custom: (count) => equal(count, (_, __, index) => [(index % 4) / 4, Math.floor(index / 4) / 4, 0.25, 0.25]),
}

const equal = (count: number, make: (start: number, size: number, index: number) => Part): Part[] =>
  Array.from({ length: count }, (_, index) => make(index / count, 1 / count, index))

function bestFit(resolution: Resolution, count: Count): Part[] {
  const columns = COLUMNS[resolution][count]
  const rows = Math.ceil(count / columns)
  return Array.from({ length: count }, (_, index) => {
    const row = Math.floor(index / columns)
    const inRow = row === rows - 1 ? count - row * columns : columns
    const left = (1 - inRow / columns) / 2
    return [left + (index % columns) / columns, row / rows, 1 / columns, 1 / rows]
  })
}

/** Where the picture of each place (the order of publishing, from 0) is seen, by the place that is prominent. */
export function expectedPictures(
  type: Layout['type'],
  resolution: Resolution,
  count: Count,
  prominent: number,
): Map<number, Rect> {
  const [width, height] = sizeOf(resolution)
  const parts = type === 'bestFit' ? bestFit(resolution, count) : PARTS[type](count)
  const others = Array.from({ length: count }, (_, place) => place).filter((place) => place !== prominent)
  const order = [prominent, ...others]
  return new Map(
    parts.map(([x, y, w, h], index) => {
      const cell = { x: x * width, y: y * height, width: w * width, height: h * height }
      return [order[index] as number, seenWhole(cell)]
    }),
  )
}

function seenWhole({ x, y, width, height }: Rect): Rect {
  const wide = Math.min(width, (height * 4) / 3)
  const high = (wide * 3) / 4
  return { x: x + (width - wide) / 2, y: y + (height - high) / 2, width: wide, height: high }
}

/** Every type of layout, and which of so many people the classes of `someProminent` put in front. */
export const LAYOUTS: readonly Layout[] = [
  { type: 'bestFit' },
  { type: 'pip' },
  { type: 'verticalPresentation' },
  { type: 'horizontalPresentation' },
  { type: 'custom', stylesheet: SIXTEENTHS },
]
const PROMINENT: Readonly<Record<Count, number>> = { 1: 0, 2: 1, 4: 2, 9: 4, 16: 15 }
export const prominentOf = ({ type }: Layout, count: Count) =>
  type === 'bestFit' || type === 'custom' ? 0 : PROMINENT[count]

/** The first of these, somebody in their midst with the classes of a prominent stream. */
export const someProminent = (people: readonly Onlooked[], count: Count): Onlooked[] =>
  people
    .slice(0, count)
    .map((one, place) => (place === PROMINENT[count] ? { ...one, layoutClasses: ['focus', 'full'] } : one))

/** Draws these people in every number, and returns the numbers in which somebody is elsewhere than expected. */
export function misplaced(layout: Layout, resolution: Resolution, people: readonly Onlooked[]) {
  const [width, height] = sizeOf(resolution)
  return COUNTS.flatMap((count) => {
    const seen = findCells(drawFrame(layout, someProminent(people, count), width, height))
    const expected = expectedPictures(layout.type, resolution, count, prominentOf(layout, count))
    return deviation(seen, expected) <= TOLERANCE ? [] : [{ count, seen, expected }]
  })
}

/** Pixels: cells, and pictures in them, lie on even places, and colours are found to two pixels. */
export const TOLERANCE = 4

export const sizeOf = (resolution: Resolution) => resolution.split('x').map(Number) as [number, number]

/** The greatest distance in pixels between the edges of what is seen and of what is expected; infinite if others are seen. */
export function deviation(seen: ReadonlyMap<number, Rect>, expected: ReadonlyMap<number, Rect>): number {
  if (seen.size !== expected.size) return Number.POSITIVE_INFINITY
  const distances = [...expected].flatMap(([place, wanted]) => {
    const found = seen.get(place)
    return edges(wanted).map((edge, index) => Math.abs(edge - (found ? (edges(found)[index] as number) : Infinity)))
  })
  return Math.max(...distances)
}

const edges = ({ x, y, width, height }: Rect) => [x, y, x + width, y + height]
