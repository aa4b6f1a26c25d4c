import { describe, expect, it } from 'vitest'
import { isBlack, judgePicture } from '../../../../lib/media/pictures/picture-quality.ts'

const draw = (value: (x: number, y: number) => number) =>
  Uint8Array.from({ length: 64 * 36 }, (_, i) => value(i % 64, Math.floor(i / 64)))
const judge = (value: (x: number, y: number) => number) => judgePicture(draw(value), 64, 36)

describe('judgePicture', () => {
  it('sees nothing in a black, a white and a grey picture', () => {
    for (const level of [16, 235, 120]) expect(judge(() => level)).toEqual({ showsSomething: false, sharpness: 0 })
  })

  it('sees nothing in black with a small logo', () => {
    expect(judge((x, y) => (x > 58 && y < 4 ? 200 : 16)).showsSomething).toBe(false)
  })

  it('sees something in a dark scene', () => {
    expect(judge((x, y) => 20 + ((x * 7 + y * 13) % 40)).showsSomething).toBe(true)
  })

  it('finds edges sharper than the same picture blurred', () => {
    const edges = judge((x) => (x % 16 < 8 ? 40 : 200))
    const blurred = judge((x) => 120 + 80 * Math.sin((x / 16) * 2 * Math.PI))
    expect(edges.showsSomething && blurred.showsSomething).toBe(true)
    expect(edges.sharpness).toBeGreaterThan(5 * blurred.sharpness)
  })
})

describe('isBlack', () => {
  const withBright = (share: number, base = 16) =>
    Uint8Array.from({ length: 1000 }, (_, n) => (n < share * 1000 ? 235 : base))

  it('overlooks noise and a logo, but not a picture', () => {
    expect(isBlack(withBright(0))).toBe(true)
    expect(isBlack(withBright(0.02, 30))).toBe(true)
    expect(isBlack(withBright(0.03))).toBe(false)
    expect(isBlack(withBright(0, 40))).toBe(false)
  })
})
