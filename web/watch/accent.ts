/** Red, green and blue, each 0 to 255. */
type Color = readonly [number, number, number]

const DARK: Color = [16, 32, 29]
const WHITE: Color = [255, 255, 255]

/** The brightest background on which the accent is text: `--card` of dark.css. */
const BACKGROUND: Color = [27, 33, 32]

/** Contrast of text (WCAG 2.2, success criterion 1.4.3). */
const MIN_CONTRAST = 4.5

/**
 * Returns the colors of an accent on the dark page: a brand color that is too dark is mixed with white until it can be read,
 * and text on it is dark or white, whichever has more contrast.
 * @param accent `#rrggbb`
 */
export function accentColors(accent: string): { readonly accent: string; readonly onAccent: string } {
  const given = parse(accent)
  let color = given
  for (let white = 0; contrast(color, BACKGROUND) < MIN_CONTRAST; white += 0.02)
    color = given.map((value) => Math.round(value + (255 - value) * Math.min(1, white))) as unknown as Color
  const onAccent = contrast(color, DARK) > contrast(color, WHITE) ? DARK : WHITE
  return { accent: format(color), onAccent: format(onAccent) }
}

const parse = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as unknown as Color

const format = (color: Color) => `#${color.map((value) => value.toString(16).padStart(2, '0')).join('')}`

/** Returns the contrast of two colors, 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(one: Color, other: Color): number {
  const [brighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (brighter + 0.05) / (darker + 0.05)
}

/** Returns the relative luminance, 0 to 1 (WCAG 2.2). */
function luminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
