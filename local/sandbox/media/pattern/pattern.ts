import {
  BLACK,
  type Colour,
  copyPart,
  createPicture,
  even,
  fill,
  type Mask,
  type Picture,
  paint,
  type Rect,
  type Size,
  WHITE,
} from '../composing/picture.ts'
import type { Source } from '../sources/source.ts'
import { frameOfSecond, SAMPLES_PER_FRAME, timeOf } from '../timebase.ts'
import { createBeep } from './beep.ts'
import { drawMask } from './lettering.ts'
import type { Identity } from './palette.ts'
import { TIMECODE_FIELDS, writeTimecode } from './timecode.ts'
import { letteringOf, once, placeOfText, write } from './writing.ts'

/** Frames of the flash and beep at the start of each second. */
const FLASH_FRAMES = 3

/** Places in a picture of the default size. */
export const PATTERN = {
  width: 640,
  height: 480,
  disc: { x: 224, y: 64, width: 192, height: 192 },
  timecode: { x: 32, y: 420, width: 576, height: 24 },
} as const

const RING = { x: 206, y: 46, width: 228, height: 228 } as const
const INITIAL_DOT = 17
/** A long name is written smaller, and cut at `max` characters. */
const NAME = { advance: 34, top: 302, room: 592, max: 32 } as const
const CLOCK = { dot: 4, top: 366 } as const

/** Geometry of a picture of any size: the content keeps its proportions, and is centred. */
interface Frame extends Size {
  readonly scale: number
  /** Converts a distance from the top of the default picture. */
  top(distance: number): number
  /** Converts a part of the default picture. */
  part(rect: Rect): Rect
}

function frameOf({ width, height }: Size): Frame {
  const scale = Math.min(width / PATTERN.width, height / PATTERN.height)
  const left = (width - PATTERN.width * scale) / 2
  const top = (distance: number) => (height - PATTERN.height * scale) / 2 + distance * scale
  return {
    width,
    height,
    scale,
    top,
    part: (rect) => ({
      x: even(left + rect.x * scale),
      y: even(top(rect.y)),
      width: even(rect.width * scale),
      height: even(rect.height * scale),
    }),
  }
}

/**
 * Creates the generated picture of a participant: its initial on a disc that flashes at each full second, its name, the time
 * of day (UTC) and a timecode, on a background in its colour. A beep sounds with each flash.
 * @param size in pixels, even numbers. @default 640x480
 */
export function createPattern(name: string, { colour, tone }: Identity, size: Size = PATTERN): Source {
  const frame = frameOf(size)
  const dark = drawStill(frame, name, colour, false)
  const lit = drawStill(frame, name, colour, true)
  const picture = createPicture(frame.width, frame.height, dark.data.slice())
  const beep = createBeep(tone, FLASH_FRAMES * SAMPLES_PER_FRAME)
  const ring = frame.part(RING)
  let shown: { text: string; fields: readonly boolean[]; isLit: boolean } = { text: '', fields: [], isLit: false }

  const source = {
    width: frame.width,
    height: frame.height,
    picture,
    changed: [] as readonly Rect[],
    audio: undefined as Int16Array | undefined,
    show(number: number) {
      const place = frameOfSecond(number)
      const isLit = place < FLASH_FRAMES
      const text = new Date(Math.floor(timeOf(number))).toISOString().slice(11, 23)
      const fields = writeTimecode(number)
      const isTurned = isLit !== shown.isLit
      if (isTurned) copyPart(isLit ? lit : dark, picture, ring)
      source.changed = [
        ...(isTurned ? [ring] : []),
        ...drawClock(frame, picture, dark, text, shown.text),
        ...drawTimecode(frame, picture, fields, shown.fields),
      ]
      source.audio = isLit ? beep.subarray(place * SAMPLES_PER_FRAME, (place + 1) * SAMPLES_PER_FRAME) : undefined
      shown = { text, fields, isLit }
    },
  }
  return source
}

/** Draws the static parts, with or without the flash. */
function drawStill({ width, height, scale, top, part }: Frame, name: string, colour: Colour, isLit: boolean): Picture {
  const picture = createPicture(width, height)
  for (let y = 0; y < height; y += 2) {
    const brightness = Math.round(colour.y + 16 - (32 * y) / height)
    fill(picture, { ...colour, y: brightness }, { x: 0, y, width, height: 2 })
  }
  const [ring, middleDisc] = [part(RING), part(PATTERN.disc)]
  paint(picture, disc(ring.width, isLit ? 0.55 : 0.14), ring.x, ring.y, WHITE)
  paint(picture, disc(middleDisc.width, isLit ? 1 : 0.22), middleDisc.x, middleDisc.y, WHITE)

  const initial = letteringOf(INITIAL_DOT * scale)
  const ink = isLit ? { ...colour, y: colour.y - 24 } : WHITE
  const middle = middleDisc.y + middleDisc.height / 2
  write(picture, initial, [...name.trim().toUpperCase()][0] ?? '?', middle - initial.capitalHeight / 2, ink)

  const shownName = [...name].slice(0, NAME.max).join('')
  const advance = Math.min(NAME.advance, even(NAME.room / Math.max(1, shownName.length)))
  write(picture, letteringOf((advance * scale) / 6), shownName, top(NAME.top), WHITE)
  return picture
}

function drawDisc(size: number, opacity: number): Mask {
  const shape = drawMask(size, size, (x, y) => size / 2 - Math.hypot(x - size / 2, y - size / 2))
  return { ...shape, alpha: shape.alpha.map((alpha) => Math.round(alpha * opacity)) }
}

const disc = once(drawDisc)

/** Redraws the characters that have changed. */
function drawClock(frame: Frame, picture: Picture, still: Picture, text: string, before: string): Rect[] {
  const lettering = letteringOf(CLOCK.dot * frame.scale)
  return [...text].flatMap((character, index) => {
    if (character === before[index]) return []
    const mask = lettering.glyph(character)
    const place = placeOfText(frame, lettering, index, text.length, frame.top(CLOCK.top))
    const part = { ...place, width: lettering.advance, height: mask.height }
    copyPart(still, picture, part)
    paint(picture, mask, part.x, part.y, WHITE)
    return [part]
  })
}

/** Redraws the fields that have changed. */
function drawTimecode(frame: Frame, picture: Picture, fields: readonly boolean[], before: readonly boolean[]): Rect[] {
  const { y, width, height } = frame.part(PATTERN.timecode)
  const fieldWidth = even(width / TIMECODE_FIELDS)
  const x = even((frame.width - TIMECODE_FIELDS * fieldWidth) / 2)
  return fields.flatMap((isWhite, index) => {
    if (isWhite === before[index]) return []
    const part = { x: x + index * fieldWidth, y, width: fieldWidth, height }
    fill(picture, isWhite ? WHITE : BLACK, part)
    return [part]
  })
}
