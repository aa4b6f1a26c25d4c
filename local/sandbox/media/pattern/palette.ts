import type { Colour } from '../composing/picture.ts'

/** By what a participant is told apart: a colour to see and a tone to hear. */
export interface Identity {
  readonly colour: Colour
  /** Hertz. */
  readonly tone: number
}

/** How far the colours are from grey; with this much none of them leaves what a screen can show. */
const SATURATION = 44
/** Blue. In radians. */
const FIRST_HUE = -0.2
/** Sixteenths of a turn; the first few (blue, orange, green, magenta) differ most. Participants after the 16th come in between. */
const HUES = [0, 6, 12, 3, 8, 14, 5, 10, 1, 13, 7, 4, 11, 2, 9, 15] as const

/** C, G, E, A and D: the first three make a chord, five audio well together. In semitones. */
const SCALE = [0, 7, 4, 9, 2] as const
const LOWEST_TONE = 261.6256
const OCTAVES = 4

/** The identity of the n-th participant of a session (from 0). The tones of the first 20 are far apart, those of the next lie between them. */
export function identityOf(place: number): Identity {
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
