import { describe, expect, it } from 'vitest'
import { accentColors, contrast } from '../../../web/watch/accent.ts'

const rgb = (color: string) =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as unknown as [number, number, number]

describe('accentColors', () => {
  it.each(['#000000', '#1a73e8', '#7f0000', '#0000ff', '#1b2120', '#ffffff', '#808080', '#ffe600'])(
    'can be read on the page, and has text that can be read on it: %s',
    (given) => {
      const { accent, onAccent } = accentColors(given)
      expect(contrast(rgb(accent), [27, 33, 32])).toBeGreaterThanOrEqual(4.5)
      expect(contrast(rgb(accent), rgb(onAccent))).toBeGreaterThanOrEqual(4.5)
    },
  )

  it('keeps a color that can be read', () => {
    expect(accentColors('#ffe600')).toEqual({ accent: '#ffe600', onAccent: '#10201d' })
  })

  it('keeps the hue of a dark color', () => {
    const [red, green, blue] = rgb(accentColors('#7f0000').accent)
    expect(green).toBe(blue)
    expect(red).toBeGreaterThan(green)
  })
})

describe('contrast', () => {
  it('is that of WCAG', () => {
    expect(contrast([0, 0, 0], [255, 255, 255])).toBe(21)
    expect(contrast([119, 119, 119], [255, 255, 255])).toBeCloseTo(4.48, 2)
  })
})
