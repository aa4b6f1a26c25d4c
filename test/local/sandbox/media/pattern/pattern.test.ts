import { describe, expect, it } from 'vitest'
import { resolutions } from '../../../../../lib/platform/contract/layouts.ts'
import { sizeOf } from '../../../../../local/sandbox/media/checks.ts'
import { paletteIdentityOf } from '../../../../../local/sandbox/media/pattern/palette.ts'
import { createPattern } from '../../../../../local/sandbox/media/pattern/pattern.ts'
import { beepOnsets } from '../../../../support/media/beeps.ts'
import { findCells, isLit, readCellTimecode } from '../../../../support/media/cells.ts'

const FULL = { x: 0, y: 0, width: 640, height: 480 }

describe('createPattern', () => {
  it('flashes and beeps in the first three frames of each second, exact to the sample', () => {
    const pattern = createPattern('Ada', paletteIdentityOf(2))
    const lit: number[] = []
    const audio = new Int16Array(60 * 1600)
    for (let frame = 0; frame < 60; frame++) {
      pattern.show(frame)
      if (isLit(pattern.picture, FULL)) lit.push(frame)
      if (pattern.audio) audio.set(pattern.audio, frame * 1600)
      expect(readCellTimecode(pattern.picture, FULL)).toBe(frame)
    }
    expect(lit).toEqual([0, 1, 2, 30, 31, 32])
    expect(beepOnsets(audio, 2)).toEqual([expect.closeTo(0, 3), expect.closeTo(1, 3)])
    expect([audio.findIndex(Boolean), audio.findLastIndex(Boolean)]).toEqual([1, 48_000 + 4_799])
  })

  it.each(resolutions)('is drawn as %s, with all moving parts inside', (resolution) => {
    const size = sizeOf(resolution)
    const pattern = createPattern('Ada', paletteIdentityOf(2), size)
    expect([pattern.picture.width, pattern.picture.height]).toEqual([size.width, size.height])
    const scale = Math.min(size.width / 640, size.height / 480)
    const onDisc = Math.round((size.height - 480 * scale) / 2 + 80 * scale) * size.width + size.width / 2
    const brightness: number[] = []
    for (const frame of [29, 30]) {
      pattern.show(frame)
      for (const { x, y, width, height } of pattern.changed) {
        expect([x, y, width, height].every((length) => length >= 0 && length % 2 === 0)).toBe(true)
        expect([x + width <= size.width, y + height <= size.height]).toEqual([true, true])
      }
      brightness.push(pattern.picture.data[onDisc] ?? 0)
    }
    const fields = pattern.changed.filter(({ y }) => y > size.height / 2 + 10)
    expect(fields.length).toBeGreaterThan(0)
    expect(brightness[1]).toBeGreaterThan((brightness[0] ?? 255) + 40)
  })

  it('is drawn for any name', () => {
    for (const name of ['', ' ', 'Zoë Ångström', '司会者', 'x'.repeat(1000), '👩🏽‍🚀']) {
      const pattern = createPattern(name, paletteIdentityOf(0))
      pattern.show(1)
      expect(findCells(pattern.picture).get(0)).toEqual(FULL)
    }
  })
})

describe('paletteIdentityOf', () => {
  it('returns different colours for 16 participants and different tones for 50', () => {
    const identities = Array.from({ length: 50 }, (_, place) => paletteIdentityOf(place))
    const colours = identities.slice(0, 16).map(({ colour }) => colour)
    for (const [index, { u, v }] of colours.entries()) {
      const nearest = colours.filter((_, other) => other !== index).map((other) => Math.hypot(u - other.u, v - other.v))
      expect(Math.min(...nearest)).toBeGreaterThan(12)
    }
    const tones = identities.map(({ tone }) => tone).sort((a, b) => a - b)
    for (const [index, tone] of tones.slice(1).entries()) expect(tone / (tones[index] as number)).toBeGreaterThan(1.01)
  })
})
