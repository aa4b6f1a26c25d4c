import { createPicture, even, type Picture, type Size, WHITE } from '../composing/picture.ts'
import { letteringOf, write } from './writing.ts'

/** Share of the width that the longest name takes. */
const ROOM = 0.9
/** Greatest share of the height from one character to the next. */
const MAX_ADVANCE = 0.08
/** A longer name is cut. */
const MAX_LENGTH = 32

/** Draws the picture of a participant whose camera is off: its name on black. */
export function createNameplate(name: string, { width, height }: Size): Picture {
  const picture = createPicture(width, height)
  const shown = [...name].slice(0, MAX_LENGTH).join('')
  const advance = even(Math.min(MAX_ADVANCE * height, (ROOM * width) / Math.max(1, shown.length)))
  if (advance < 6) return picture // smaller letters cannot be read
  const lettering = letteringOf(advance / 6)
  write(picture, lettering, shown, (height - lettering.capitalHeight) / 2, WHITE)
  return picture
}
