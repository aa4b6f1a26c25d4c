import {
  type Colour,
  createPicture,
  fill,
  type Picture,
  paint,
} from '../../../local/sandbox/media/composing/picture.ts'
import type { Layout } from '../../../local/sandbox/media/media.ts'
import { createLettering } from '../../../local/sandbox/media/pattern/lettering.ts'
import { drawFrame, people } from './frames.ts'
import { COUNTS } from './geometry.ts'

/** A speaker with half the frame in each direction, and the others around. */
const AROUND = `
  stream { float: left; width: 25%; height: 25%; object-fit: cover }
  stream:first-child { width: 50%; height: 50% }`

const ROWS: readonly { readonly layout: Layout; readonly hasShare?: true }[] = [
  { layout: { type: 'bestFit' } },
  { layout: { type: 'pip' } },
  { layout: { type: 'verticalPresentation' } },
  { layout: { type: 'horizontalPresentation' } },
  { layout: { type: 'bestFit', screenshareType: 'verticalPresentation' }, hasShare: true },
  { layout: { type: 'custom', stylesheet: AROUND } },
]

const FRAMES = [
  { width: 224, height: 126 },
  { width: 70, height: 126 },
] as const
const [{ width: wide, height }, { width: narrow }] = FRAMES
const GAP = 4
const MARGIN = 14
const LINE = 26
const COLUMN = { width: wide + GAP + narrow + MARGIN, first: MARGIN }
const ROW = { height: LINE + height + MARGIN, first: LINE + 2 * MARGIN }
const PAPER: Colour = { y: 228, u: 128, v: 128 }
const INK: Colour = { y: 60, u: 128, v: 128 }
const letters = createLettering(2)

/** Every layout (in rows) with 1, 2, 4, 9 and 16 participants (in columns), in a wide and in an upright frame. */
export function drawContactSheet(): Picture {
  const sheet = createPicture(COLUMN.first + COUNTS.length * COLUMN.width, ROW.first + ROWS.length * ROW.height)
  fill(sheet, PAPER)
  const everybody = people(Math.max(...COUNTS))
  for (const [across, count] of COUNTS.entries()) {
    const x = COLUMN.first + across * COLUMN.width
    write(sheet, `${count} participant${count > 1 ? 's' : ''}`, x, MARGIN)
    for (const [down, { layout, hasShare }] of ROWS.entries()) {
      const y = ROW.first + down * ROW.height
      if (across === 0) write(sheet, titleOf(layout), x, y)
      const streams = everybody.slice(0, count)
      const last = streams.at(-1)
      if (last && hasShare) streams.splice(-1, 1, { ...last, videoType: 'screen' })
      for (const [index, frame] of FRAMES.entries())
        place(sheet, drawFrame(layout, streams, frame.width, frame.height), x + index * (wide + GAP), y + LINE)
    }
  }
  return sheet
}

const titleOf = ({ type, screenshareType }: Layout) =>
  screenshareType ? `${type}, a screen share by ${screenshareType}` : type

function place(sheet: Picture, { planes }: Picture, x: number, y: number): void {
  for (const [index, plane] of planes.entries()) {
    const target = sheet.planes[index] as Picture['planes'][0]
    const scale = index === 0 ? 1 : 2
    for (let line = 0; line < plane.height; line++)
      target.data.set(
        plane.data.subarray(line * plane.width, (line + 1) * plane.width),
        (y / scale + line) * target.width + x / scale,
      )
  }
}

function write(sheet: Picture, text: string, x: number, y: number): void {
  for (const [index, character] of [...text].entries())
    paint(sheet, letters.glyph(character), x + index * letters.advance, y, INK)
}
