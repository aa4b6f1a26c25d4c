import { LayoutError } from './layout-error.ts'
import { even, type Rect } from './rectangles.ts'
import { placeBoxes } from './stylesheet/boxes.ts'
import type { Style } from './stylesheet/properties.ts'
import { readStylesheet } from './stylesheet/stylesheet.ts'

/** Layouts with a fixed arrangement. */
const fixedLayouts = ['bestFit', 'pip', 'verticalPresentation', 'horizontalPresentation'] as const
export type FixedLayout = (typeof fixedLayouts)[number]

const LAYOUTS: readonly string[] = [...fixedLayouts, 'custom']

/** The arrangement of streams in a picture, in the form of the wire. */
export interface Layout {
  readonly type: FixedLayout | 'custom'
  /** CSS that places the streams; only for the type custom. */
  readonly stylesheet?: string | undefined
  /** The type while a screen is shared; only for the type bestFit. */
  readonly screenshareType?: FixedLayout | undefined
}

/** Mode in which a picture of other proportions fills its cell: whole between black bars, or cropped to the cell. */
export type Fit = 'contain' | 'cover'

/** Properties of a stream by which layouts place it. */
export interface Placeable {
  readonly videoType: 'camera' | 'screen' | 'custom'
  readonly layoutClasses: readonly string[]
}

export interface Placement<Stream> {
  readonly stream: Stream
  readonly cell: Rect
  readonly fit?: Fit
}

/** Checks that a layout can be drawn. @throws {@link LayoutError} */
export function refuseUndrawable({ type, stylesheet, screenshareType }: Layout): void {
  if (!LAYOUTS.includes(type))
    throw new LayoutError(`There is no layout ${JSON.stringify(type)}: use ${LAYOUTS.join(', ')}.`)
  if ((type === 'custom') !== (stylesheet !== undefined))
    throw new LayoutError('A stylesheet is needed for the layout custom, and allowed for no other.')
  if (stylesheet !== undefined) readStylesheet(stylesheet)
  if (screenshareType !== undefined && (type !== 'bestFit' || !fixedLayouts.includes(screenshareType)))
    throw new LayoutError(`A screenshareType is allowed for bestFit only: use ${fixedLayouts.join(', ')}.`)
}

/**
 * Returns the cells of the visible streams in a frame, in painting order. `streams` are in the order of publishing. Screen
 * shares go first; with a screenshareType the first of them takes the prominent place.
 * @param limit maximum number of visible streams. @default all
 */
export function arrangeStreams<Stream extends Placeable>(
  layout: Layout,
  streams: readonly Stream[],
  width: number,
  height: number,
  limit = Number.POSITIVE_INFINITY,
): Placement<Stream>[] {
  const shares = streams.filter(isScreen)
  const shown = [...shares, ...streams.filter((stream) => !isScreen(stream))].slice(0, limit)
  const frame = { x: 0, y: 0, width, height }
  const { type, screenshareType, stylesheet = '' } = layout
  if (type === 'custom') return placeByStyle(shown, stylesheet, frame)
  if (screenshareType === undefined || shares.length === 0) return place(type, shown, shown, frame)
  return place(screenshareType, shown, shares, frame)
}

const isScreen = ({ videoType }: Placeable) => videoType === 'screen'

/** Arranges by one of the fixed layouts; the prominent place goes to one of the candidates. */
function place<Stream extends Placeable>(
  type: FixedLayout,
  streams: readonly Stream[],
  candidates: readonly Stream[],
  frame: Rect,
): Placement<Stream>[] {
  switch (type) {
    case 'bestFit':
      return pair(streams, grid(streams.length, frame))
    case 'pip':
      return pair(prominentFirst(streams, candidates, 'full').slice(0, 2), [frame, corner(frame)])
    case 'verticalPresentation': {
      const [left, right] = splitAcross(frame)
      const cells = streams.length < 2 ? [frame] : [right, ...rows(streams.length - 1, left)]
      return pair(prominentFirst(streams, candidates, 'focus'), cells)
    }
    case 'horizontalPresentation': {
      const [top, bottom] = splitDown(frame)
      const cells = streams.length < 2 ? [frame] : [bottom, ...columns(streams.length - 1, top)]
      return pair(prominentFirst(streams, candidates, 'focus'), cells)
    }
  }
}

/** Arranges by a custom layout; edges between two pixels are moved to the nearest even place. */
function placeByStyle<Stream extends Placeable>(
  streams: readonly Stream[],
  stylesheet: string,
  frame: Rect,
): Placement<Stream>[] {
  const { styleOf } = readStylesheet(stylesheet)
  const styles = streams.map((_, index) => styleOf(streams, index))
  const placed = placeBoxes(styles, frame).flatMap((box, index) => (box ? [{ ...box, index }] : []))
  return placed
    .toSorted((a, b) => a.depth - b.depth)
    .map(({ rect, index }) => ({
      stream: streams[index] as Stream,
      cell: evenEdges(rect),
      fit: (styles[index] as Style)['object-fit'],
    }))
}

function evenEdges({ x, y, width, height }: Rect): Rect {
  const near = (edge: number) => 2 * Math.round(edge / 2)
  return { x: near(x), y: near(y), width: near(x + width) - near(x), height: near(y + height) - near(y) }
}

/** Moves the first candidate of the class, or else the first candidate, to the front. */
function prominentFirst<Stream extends Placeable>(
  streams: readonly Stream[],
  candidates: readonly Stream[],
  layoutClass: string,
): Stream[] {
  const prominent = candidates.find((stream) => stream.layoutClasses.includes(layoutClass)) ?? candidates[0]
  return prominent ? [prominent, ...streams.filter((stream) => stream !== prominent)] : []
}

const pair = <Stream>(streams: readonly Stream[], cells: readonly Rect[]): Placement<Stream>[] =>
  streams.map((stream, index) => ({ stream, cell: cells[index] as Rect }))

/** Returns the width of a 4:3 picture, the usual source, in a cell; rounded, so that equal cells compare equal. */
const pictureWidth = (width: number, height: number) => Math.round(Math.min(width, (height * 4) / 3))

/**
 * Returns equal cells in the number of columns that makes the pictures largest; the last row is centred. Of arrangements
 * with equally large pictures it takes the one with the fewest empty places, and then the one with more columns: two
 * pictures are side by side.
 */
function grid(count: number, frame: Rect): Rect[] {
  const arrangements = Array.from({ length: count }, (_, index) => {
    const columns = index + 1
    const rows = Math.ceil(count / columns)
    return { columns, size: pictureWidth(frame.width / columns, frame.height / rows), empty: rows * columns - count }
  })
  const [best] = arrangements.toSorted((a, b) => b.size - a.size || a.empty - b.empty || b.columns - a.columns)
  const perRow = best?.columns ?? 1
  const rowCount = Math.ceil(count / perRow)
  const width = even(frame.width / perRow)
  const height = even(frame.height / rowCount)
  const top = even((frame.height - rowCount * height) / 2)
  return Array.from({ length: count }, (_, index) => {
    const row = Math.floor(index / perRow)
    const inRow = Math.min(perRow, count - row * perRow)
    const left = even((frame.width - inRow * width) / 2)
    return { x: left + (index % perRow) * width, y: top + row * height, width, height }
  })
}

/** Returns a cell of a quarter of the frame's width and height, a twentieth from the upper right edges. */
function corner({ width, height }: Rect): Rect {
  const cell = { width: even(width / 4), height: even(height / 4) }
  return { ...cell, x: even(width * 0.95) - cell.width, y: even(height * 0.05) }
}

/** Splits off a fifth of the frame for the others, and the rest for the prominent stream. */
function splitAcross({ x, y, width, height }: Rect): [Rect, Rect] {
  const strip = even(width / 5)
  return [
    { x, y, width: strip, height },
    { x: x + strip, y, width: width - strip, height },
  ]
}

function splitDown({ x, y, width, height }: Rect): [Rect, Rect] {
  const strip = even(height / 5)
  return [
    { x, y, width, height: strip },
    { x, y: y + strip, width, height: height - strip },
  ]
}

const rows = (count: number, { x, y, width, height }: Rect): Rect[] =>
  shares(count, height).map(([start, size]) => ({ x, y: y + start, width, height: size }))

const columns = (count: number, { x, y, width, height }: Rect): Rect[] =>
  shares(count, width).map(([start, size]) => ({ x: x + start, y, width: size, height }))

/** Divides a length into equal parts on even coordinates. They differ by at most two pixels, without a remainder. */
const shares = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) => {
    const start = even((index * length) / count)
    return [start, even(((index + 1) * length) / count) - start] as const
  })
