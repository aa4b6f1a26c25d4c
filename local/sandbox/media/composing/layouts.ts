import { MediaError } from '../../../../lib/media/ffmpeg.ts'
import type { Layout } from '../media.ts'
import type { Rect } from './picture.ts'

/** At most this many pictures are shown at once (the platform's limit of a composed archive). */
export const MOST_PICTURES = 16

const LAYOUTS: readonly Layout['type'][] = [
  'bestFit',
  'pip',
  'verticalPresentation',
  'horizontalPresentation',
  'custom',
]

/** What a layout looks at in a stream; streams come in the order of publishing. */
export interface Placeable {
  readonly videoType: 'camera' | 'screen' | 'custom'
  readonly layoutClasses: readonly string[]
}

export interface Placement<Stream> {
  readonly stream: Stream
  readonly cell: Rect
}

/** Refuses what cannot be drawn, or not yet. */
export function checkLayout({ type, stylesheet, screenshareType }: Layout): void {
  if (!LAYOUTS.includes(type))
    throw new MediaError(`There is no layout ${JSON.stringify(type)}: use ${LAYOUTS.join(', ')}.`)
  if (type === 'custom' || stylesheet !== undefined) {
    throw new MediaError('The layout "custom" with its stylesheet is not drawn yet: use one of the four fixed layouts.')
  }
  if (screenshareType !== undefined) {
    throw new MediaError('A screenshareType is not drawn yet: leave it out of the layout.')
  }
}

/** Gives each stream that the layout shows its cell in a frame of the given size. Screen shares come first. */
export function arrange<Stream extends Placeable>(
  layout: Layout,
  streams: readonly Stream[],
  width: number,
  height: number,
): Placement<Stream>[] {
  const isScreen = (stream: Stream) => stream.videoType === 'screen'
  const ordered = [...streams.filter(isScreen), ...streams.filter((stream) => !isScreen(stream))]
  const shown = ordered.slice(0, MOST_PICTURES)
  const frame = { x: 0, y: 0, width, height }
  switch (layout.type) {
    case 'bestFit':
      return pair(shown, grid(shown.length, frame))
    case 'pip':
      return pair(prominentFirst(shown, 'full').slice(0, 2), [frame, corner(frame)])
    case 'verticalPresentation': {
      const [left, right] = splitAcross(frame)
      return pair(prominentFirst(shown, 'focus'), shown.length < 2 ? [frame] : [right, ...rows(shown.length - 1, left)])
    }
    case 'horizontalPresentation': {
      const [top, bottom] = splitDown(frame)
      return pair(
        prominentFirst(shown, 'focus'),
        shown.length < 2 ? [frame] : [bottom, ...columns(shown.length - 1, top)],
      )
    }
    case 'custom':
      return checkLayout(layout) as never
  }
}

/** The largest part of a cell, in its middle, that has the proportions of a picture. */
export function letterbox(picture: { width: number; height: number }, cell: Rect): Rect {
  const scale = Math.min(cell.width / picture.width, cell.height / picture.height)
  const width = Math.max(2, even(picture.width * scale + 0.5))
  const height = Math.max(2, even(picture.height * scale + 0.5))
  return { x: cell.x + even((cell.width - width) / 2), y: cell.y + even((cell.height - height) / 2), width, height }
}

/** The first stream of that class in front, else the order as it is. */
function prominentFirst<Stream extends Placeable>(streams: readonly Stream[], layoutClass: string): Stream[] {
  const prominent = streams.find((stream) => stream.layoutClasses.includes(layoutClass)) ?? streams[0]
  return prominent ? [prominent, ...streams.filter((stream) => stream !== prominent)] : []
}

const pair = <Stream>(streams: readonly Stream[], cells: readonly Rect[]): Placement<Stream>[] =>
  streams.map((stream, index) => ({ stream, cell: cells[index] as Rect }))

const even = (value: number) => 2 * Math.floor(value / 2)

/** Sources are as wide as 4 to 3, so that is what a cell is judged by. */
const pictureWidth = (width: number, height: number) => Math.min(width, (height * 4) / 3)

/** Equal cells in as many columns as make the pictures largest; the last row is centred. */
function grid(count: number, frame: Rect): Rect[] {
  const widthWith = (columns: number) => pictureWidth(frame.width / columns, frame.height / Math.ceil(count / columns))
  let perRow = 1
  for (let columns = 2; columns <= count; columns++) if (widthWith(columns) > widthWith(perRow)) perRow = columns
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

/** A quarter of the frame's width and height at the upper right, a twentieth away from the edges. */
function corner({ width, height }: Rect): Rect {
  const cell = { width: even(width / 4), height: even(height / 4) }
  return { ...cell, x: even(width * 0.95) - cell.width, y: even(height * 0.05) }
}

/** A fifth of the frame for the others, the rest for the prominent one. */
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

/** Equal parts of a length on even places; they differ by at most two pixels, so that nothing is left over. */
const shares = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) => {
    const start = even((index * length) / count)
    return [start, even(((index + 1) * length) / count) - start] as const
  })
