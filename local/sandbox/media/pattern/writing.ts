import { type Colour, even, type Picture, paint, type Size } from '../composing/picture.ts'
import { createLettering, type Lettering } from './lettering.ts'

/** Caches results for all participants: drawing masks takes longer than the rest of a pattern. */
export function once<Args extends readonly number[], Made>(make: (...args: Args) => Made): (...args: Args) => Made {
  const made = new Map<string, Made>()
  return (...args) => {
    const key = args.join()
    const known = made.get(key) ?? make(...args)
    made.set(key, known)
    return known
  }
}

/** Returns the lettering whose dots are as many pixels apart. */
export const letteringOf = once(createLettering)

/** Writes a centred line; `top` is the upper edge of its capitals. */
export function write(picture: Picture, lettering: Lettering, text: string, top: number, colour: Colour): void {
  ;[...text].forEach((character, index, all) => {
    const { x, y } = placeOfText(picture, lettering, index, all.length, top)
    paint(picture, lettering.glyph(character), x, y, colour)
  })
}

export function placeOfText(
  { width }: Size,
  { advance, margin }: Lettering,
  index: number,
  length: number,
  top: number,
) {
  const gap = advance / 3 // from the last dot of a character to the first of the next
  const left = (width - length * advance + gap) / 2
  return { x: even(left) + index * advance - margin, y: even(top) - margin }
}
