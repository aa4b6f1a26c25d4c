import { expect, it } from 'vitest'
import { createHideableSource } from '../../../../../local/sandbox/media/engine/hideable-source.ts'
import { paletteIdentityOf } from '../../../../../local/sandbox/media/pattern/palette.ts'
import { createPattern } from '../../../../../local/sandbox/media/pattern/pattern.ts'

const open = (name = 'Ada') =>
  createHideableSource(createPattern(name, paletteIdentityOf(0), { width: 320, height: 240 }), name)

it('a hidden source is its name on black, and its audio continues', async () => {
  const source = open()
  await source.show(1, source)
  const shown = source.picture.data.slice()
  source.isHidden = true
  await source.show(30, source)
  expect(source.changed).toEqual([{ x: 0, y: 0, width: 320, height: 240 }])
  expect(source.audio?.some(Boolean)).toBe(true)
  const [brightness, blue, red] = source.picture.planes
  expect(brightness.data.filter((value) => value > 200).length).toBeGreaterThan(100)
  expect(brightness.data.filter((value) => value === 16).length).toBeGreaterThan(320 * 240 * 0.9)
  expect([...blue.data, ...red.data].every((value) => value === 128)).toBe(true)
  await source.show(31, source)
  expect(source.changed).toEqual([])

  source.isHidden = false
  await source.show(61, source)
  expect(source.changed).toEqual([{ x: 0, y: 0, width: 320, height: 240 }])
  expect(Buffer.from(source.picture.data).equals(Buffer.from(shown))).toBe(false) // the clock has advanced
  expect(source.picture.data.subarray(0, 3200)).toEqual(shown.subarray(0, 3200))
})

it.each(['', 'x'.repeat(1000), '司会者', '👩🏽‍🚀'])('the name %j fits', async (name) => {
  const source = open(name)
  source.isHidden = true
  await source.show(0, source)
  expect(source.picture.planes[0].data.length).toBe(320 * 240)
})
