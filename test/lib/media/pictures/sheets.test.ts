import { describe, expect, it } from 'vitest'
import { chooseInterval, drawSheet } from '../../../../lib/media/pictures/thumbnails.ts'

describe('chooseInterval', () => {
  it.each([
    [10, 2],
    [600, 10],
    [3600, 60],
    [43_200, 60],
    [14_400_000, 10_000],
  ])('gives a recording of %d s a thumbnail every %d s', (duration, interval) => {
    expect(chooseInterval(duration)).toBe(interval)
  })
})

describe('drawSheet', () => {
  it('places ten thumbnails in a row and leaves the rest black', () => {
    const size = { width: 2, height: 2, squarePixels: true }
    const pictures = Array.from({ length: 11 }, (_, n) => Buffer.from([...Array(4).fill(100 + n), 200 + n, 50 + n]))
    const sheet = drawSheet(pictures, size)
    const [luma, blue, red] = [sheet.subarray(0, 80), sheet.subarray(80, 100), sheet.subarray(100, 120)]
    expect([...luma.subarray(0, 6)]).toEqual([100, 100, 101, 101, 102, 102])
    expect([...luma.subarray(40, 46)]).toEqual([110, 110, 16, 16, 16, 16])
    expect([...blue.subarray(8, 13)]).toEqual([208, 209, 210, 128, 128])
    expect([...red.subarray(8, 13)]).toEqual([58, 59, 60, 128, 128])
  })
})
