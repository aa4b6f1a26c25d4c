import { describe, expect, it } from 'vitest'
import { createPicture, type Picture } from '../../../../../local/sandbox/media/composing/picture.ts'
import { createScaler } from '../../../../../local/sandbox/media/composing/scaler.ts'

/** Creates a picture that gets brighter to the right and down. */
function slope(width: number, height: number): Picture {
  const picture = createPicture(width, height)
  picture.planes.forEach((plane) => {
    plane.data.forEach((_, index) => {
      plane.data[index] =
        20 + Math.round((100 * (index % plane.width)) / plane.width + (100 * index) / plane.data.length)
    })
  })
  return picture
}

const whole = (picture: Picture) => ({ x: 0, y: 0, width: picture.width, height: picture.height })

function scaled(source: Picture, width: number, height: number): Picture {
  const target = createPicture(width, height)
  createScaler(source, target, whole(target)).draw(whole(source))
  return target
}

describe('createScaler', () => {
  it('copies pictures of equal size', () => {
    const source = slope(64, 48)
    expect(scaled(source, 64, 48).data).toEqual(source.data)
  })

  it.each([
    [32, 24],
    [48, 36],
    [10, 6],
    [96, 72],
    [160, 120],
    [64, 20],
  ])('keeps a slope a slope at %d x %d', (width, height) => {
    const expected = slope(width, height)
    const worst = scaled(slope(64, 48), width, height).data.reduce(
      (most, value, index) => Math.max(most, Math.abs(value - (expected.data[index] as number))),
      0,
    )
    expect(worst).toBeLessThanOrEqual(Math.ceil(200 / Math.min(width, height, 48)) + 2)
  })

  it('averages two by two pixels at half the size', () => {
    const source = createPicture(4, 4)
    source.planes[0].data.set([10, 20, 0, 0, 30, 40, 0, 0])
    expect(scaled(source, 2, 2).planes[0].data[0]).toBe(25)
  })

  it('neither brightens nor darkens an even area at any size', () => {
    const source = createPicture(64, 48)
    source.data.fill(235)
    for (let size = 2; size <= 130; size += 2) {
      expect(new Set(scaled(source, size, size).data), `${size}`).toEqual(new Set([235]))
    }
  })

  it('returns the place that it has drawn', () => {
    const target = createPicture(100, 100)
    const scaler = createScaler(slope(64, 48), target, { x: 10, y: 20, width: 32, height: 24 })
    const drawn = scaler.draw({ x: 16, y: 16, width: 8, height: 8 })
    expect(drawn).toEqual({ x: 18, y: 28, width: 4, height: 4 })
    expect(target.planes[0].data.filter((value) => value !== 16)).toHaveLength(16)
  })
})
