import {
  BLACK,
  type Colour,
  copyPart,
  createPicture,
  fill,
  type Mask,
  type Picture,
  paint,
  type Rect,
  WHITE,
} from '../composing/picture.ts'
import type { Source } from '../sources/source.ts'
import { frameOfSecond, SAMPLES_PER_FRAME, timeOf } from '../timebase.ts'
import { createBeep } from './beep.ts'
import { createLettering, drawMask, type Lettering } from './lettering.ts'
import type { Identity } from './palette.ts'
import { TIMECODE_FIELDS, writeTimecode } from './timecode.ts'

/** Flash and beep last this many frames from each whole second on. */
const FLASH_FRAMES = 3

/** Where things are in the picture. */
export const PATTERN = {
  width: 640,
  height: 480,
  disc: { x: 224, y: 64, width: 192, height: 192 },
  timecode: { x: 32, y: 420, width: 576, height: 24 },
} as const

const RING = { x: 206, y: 46, width: 228, height: 228 } as const
const INITIAL_DOT = 17
/** A long name is written smaller, and cut when it would become too small to read. */
const NAME = { advance: 34, top: 302, room: 592, longest: 32 } as const
const CLOCK = { dot: 4, top: 366 } as const

/**
 * Makes the generated picture of a participant: its initial on a disc that flashes at each whole second, its name, the
 * time of day (UTC) and a timecode, on a background of its own colour; a beep sounds with each flash.
 */
export function createPattern(name: string, { colour, tone }: Identity): Source {
  const dark = drawStill(name, colour, false)
  const lit = drawStill(name, colour, true)
  const picture = createPicture(PATTERN.width, PATTERN.height, dark.data.slice())
  const beep = createBeep(tone, FLASH_FRAMES * SAMPLES_PER_FRAME)
  const clock = letteringOf(CLOCK.dot)
  let shown: { text: string; fields: readonly boolean[]; isLit: boolean } = { text: '', fields: [], isLit: false }

  const source = {
    width: PATTERN.width,
    height: PATTERN.height,
    picture,
    changed: [] as readonly Rect[],
    sound: undefined as Int16Array | undefined,
    show(frame: number) {
      const place = frameOfSecond(frame)
      const isLit = place < FLASH_FRAMES
      const text = new Date(Math.floor(timeOf(frame))).toISOString().slice(11, 23)
      const fields = writeTimecode(frame)
      const isTurned = isLit !== shown.isLit
      if (isTurned) copyPart(isLit ? lit : dark, picture, RING)
      source.changed = [
        ...(isTurned ? [RING] : []),
        ...drawClock(picture, dark, clock, text, shown.text),
        ...drawTimecode(picture, fields, shown.fields),
      ]
      source.sound = isLit ? beep.subarray(place * SAMPLES_PER_FRAME, (place + 1) * SAMPLES_PER_FRAME) : undefined
      shown = { text, fields, isLit }
    },
  }
  return source
}

/** Everything that does not move, with or without the flash. */
function drawStill(name: string, colour: Colour, isLit: boolean): Picture {
  const picture = createPicture(PATTERN.width, PATTERN.height)
  for (let y = 0; y < PATTERN.height; y += 2) {
    const brightness = Math.round(colour.y + 16 - (32 * y) / PATTERN.height)
    fill(picture, { ...colour, y: brightness }, { x: 0, y, width: PATTERN.width, height: 2 })
  }
  paint(picture, disc(RING.width, isLit ? 0.55 : 0.14), RING.x, RING.y, WHITE)
  paint(picture, disc(PATTERN.disc.width, isLit ? 1 : 0.22), PATTERN.disc.x, PATTERN.disc.y, WHITE)

  const initial = letteringOf(INITIAL_DOT)
  const ink = isLit ? { ...colour, y: colour.y - 24 } : WHITE
  const middle = PATTERN.disc.y + PATTERN.disc.height / 2
  write(picture, initial, [...name.trim().toUpperCase()][0] ?? '?', middle - initial.capitalHeight / 2, ink)

  const shownName = [...name].slice(0, NAME.longest).join('')
  const advance = Math.min(NAME.advance, even(NAME.room / Math.max(1, shownName.length)))
  write(picture, letteringOf(advance / 6), shownName, NAME.top, WHITE)
  return picture
}

function drawDisc(size: number, opacity: number): Mask {
  const shape = drawMask(size, size, (x, y) => size / 2 - Math.hypot(x - size / 2, y - size / 2))
  return { ...shape, alpha: shape.alpha.map((alpha) => Math.round(alpha * opacity)) }
}

/** All participants share what is drawn only once: masks take longer than the rest of a pattern. */
function once<Args extends readonly number[], Made>(make: (...args: Args) => Made): (...args: Args) => Made {
  const made = new Map<string, Made>()
  return (...args) => {
    const key = args.join()
    const known = made.get(key) ?? make(...args)
    made.set(key, known)
    return known
  }
}

const disc = once(drawDisc)
const letteringOf = once(createLettering)

/** Writes a line in the middle of the picture, `top` being where its capitals begin. */
function write(picture: Picture, lettering: Lettering, text: string, top: number, colour: Colour): void {
  ;[...text].forEach((character, index, all) => {
    const { x, y } = placeOf(lettering, index, all.length, top)
    paint(picture, lettering.glyph(character), x, y, colour)
  })
}

function placeOf({ advance, margin }: Lettering, index: number, length: number, top: number) {
  const gap = advance / 3 // from the last dot of a character to the first of the next
  const left = (PATTERN.width - length * advance + gap) / 2
  return { x: even(left) + index * advance - margin, y: even(top) - margin }
}

/** Redraws the characters that are new. */
function drawClock(picture: Picture, still: Picture, lettering: Lettering, text: string, before: string): Rect[] {
  return [...text].flatMap((character, index) => {
    if (character === before[index]) return []
    const mask = lettering.glyph(character)
    const part = { ...placeOf(lettering, index, text.length, CLOCK.top), width: lettering.advance, height: mask.height }
    copyPart(still, picture, part)
    paint(picture, mask, part.x, part.y, WHITE)
    return [part]
  })
}

/** Redraws the fields that are new. */
function drawTimecode(picture: Picture, fields: readonly boolean[], before: readonly boolean[]): Rect[] {
  const { x, y, width, height } = PATTERN.timecode
  const fieldWidth = width / TIMECODE_FIELDS
  return fields.flatMap((isWhite, index) => {
    if (isWhite === before[index]) return []
    const part = { x: x + index * fieldWidth, y, width: fieldWidth, height }
    fill(picture, isWhite ? WHITE : BLACK, part)
    return [part]
  })
}

const even = (value: number) => 2 * Math.floor(value / 2)
