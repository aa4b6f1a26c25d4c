import { describe, expect, it } from 'vitest'
import { fitPicture, letterbox, partOf, sizeDrawn } from '../../../../../local/sandbox/media/composing/fitting.ts'

const PICTURE = { width: 640, height: 480 }
const rect = (x: number, y: number, width: number, height: number) => ({ x, y, width, height })
const ALL = rect(0, 0, 640, 480)

/** Returns the place of a picture, and the visible part of it. */
function drawn(...[size, cell, frame]: Parameters<typeof fitPicture>) {
  const fitted = fitPicture(size, cell, frame)
  return fitted && { place: fitted.place, part: partOf(size, fitted) }
}

describe('letterbox', () => {
  it.each([
    ['wider', rect(0, 0, 1280, 720), rect(160, 0, 960, 720)],
    ['taller', rect(640, 0, 640, 720), rect(640, 120, 640, 480)],
    ['small', rect(0, 0, 2, 2), rect(0, 0, 2, 2)],
  ])('puts a picture of 4 to 3 in the middle of a cell that is %s', (_, cell, place) => {
    expect(letterbox(PICTURE, cell)).toEqual(place)
  })
})

describe('fitPicture', () => {
  const frame = { width: 1280, height: 720 }

  it.each([
    ['contains the whole picture', 'contain', rect(0, 0, 1280, 720), rect(160, 0, 960, 720), ALL],
    [
      'cuts above and below to cover a wide cell',
      'cover',
      rect(0, 0, 640, 240),
      rect(0, 0, 640, 240),
      rect(0, 120, 640, 240),
    ],
    [
      'cuts both sides to cover an upright cell',
      'cover',
      rect(100, 0, 240, 480),
      rect(100, 0, 240, 480),
      rect(200, 0, 240, 480),
    ],
    ['cuts nothing to cover a cell of its proportions', 'cover', rect(0, 0, 320, 240), rect(0, 0, 320, 240), ALL],
    [
      'leaves out what is beyond the upper left',
      'contain',
      rect(-320, -240, 640, 480),
      rect(0, 0, 320, 240),
      rect(320, 240, 320, 240),
    ],
    [
      'leaves out what is beyond the lower right',
      'contain',
      rect(1120, 600, 320, 240),
      rect(1120, 600, 160, 120),
      rect(0, 0, 320, 240),
    ],
  ] as const)('%s', (_, fit, cell, place, part) => {
    expect(drawn(PICTURE, { cell, fit }, frame)).toEqual({ place, part })
  })

  it.each([
    ['outside the frame', rect(1280, 0, 100, 100)],
    ['without a width', rect(10, 10, 0, 100)],
    ['with nothing but its bars in the frame', rect(0, -400, 640, 420)],
  ])('shows nothing of a cell %s', (_, cell) => {
    expect(fitPicture({ width: 640, height: 40 }, { cell }, frame)).toBeUndefined()
  })

  it('keeps every part on even coordinates inside its picture', () => {
    for (const fit of ['contain', 'cover'] as const) {
      for (let size = 2; size < 900; size += 26) {
        for (const cell of [rect(-60, -2, size, 100), rect(1100, 600, 100, size), rect(14, 22, size, size)]) {
          const fitted = drawn(PICTURE, { cell, fit }, frame)
          if (!fitted) continue
          for (const [{ x, y, width, height }, outer] of [
            [fitted.part, PICTURE],
            [fitted.place, frame],
          ] as const) {
            expect([x % 2, y % 2, width % 2, height % 2]).toEqual([0, 0, 0, 0])
            expect(Math.min(x, y, width - 2, height - 2)).toBeGreaterThanOrEqual(0)
            expect([x + width <= outer.width, y + height <= outer.height]).toEqual([true, true])
          }
        }
      }
    }
  })
})

describe('sizeDrawn', () => {
  const frame = { width: 1280, height: 720 }

  it.each([
    ['as it is drawn, where that is smaller', 'contain', rect(0, 0, 320, 180), { width: 240, height: 180 }],
    ['with what is cut off', 'cover', rect(0, 0, 320, 180), { width: 320, height: 240 }],
    ['with what is outside the frame', 'contain', rect(1200, 600, 320, 240), { width: 320, height: 240 }],
    ['no larger than it is', 'contain', rect(0, 0, 1280, 720), PICTURE],
  ] as const)('is how large a picture is needed: %s', (_, fit, cell, size) => {
    const fitted = fitPicture(PICTURE, { cell, fit }, frame)
    expect(fitted && sizeDrawn(PICTURE, fitted)).toEqual(size)
  })
})
