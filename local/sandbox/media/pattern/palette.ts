import type { Colour } from '../composing/picture.ts'

/** Features that identify a participant: a colour in the picture and a tone in the audio. */
export interface Identity {
  readonly colour: Colour
  /** Hertz. */
  readonly tone: number
}

/** Distance of the colours from grey, within the range that screens can show. */
const SATURATION = 44
/** Blue, in radians. */
const FIRST_HUE = -0.2
/** Hues in sixteenths of a turn. The first few (blue, orange, green, magenta) differ most; later rounds are in between. */
const HUES = [0, 6, 12, 3, 8, 14, 5, 10, 1, 13, 7, 4, 11, 2, 9, 15] as const

/** C, G, E, A and D: the first three make a chord, five audio well together. In semitones. */
const SCALE = [0, 7, 4, 9, 2] as const
const LOWEST_TONE = 261.6256
const OCTAVES = 4

/** Returns the identity of the n-th participant of a session (from 0). The first 20 tones are far apart, the next in between. */
export function paletteIdentityOf(place: number): Identity {
  const sixteenths = (HUES[place % HUES.length] as number) + Math.floor(place / HUES.length) / 2
  const hue = FIRST_HUE + (sixteenths / HUES.length) * 2 * Math.PI
  const colour = {
    y: 104,
    u: Math.round(128 + SATURATION * Math.cos(hue)),
    v: Math.round(128 + SATURATION * Math.sin(hue)),
  }
  const octave = Math.floor(place / SCALE.length)
  const round = Math.floor(octave / OCTAVES)
  const semitones = 12 * (octave % OCTAVES) + (SCALE[place % SCALE.length] as number) + round / 3
  return { colour, tone: LOWEST_TONE * 2 ** (semitones / 12) }
}
