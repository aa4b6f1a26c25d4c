import { describe, expect, it } from 'vitest'
import { levelOf } from '../../../web/join/lobby/loudness.ts'
import { arrangeTiles } from '../../../web/join/stage/grid.ts'

describe('arrangeTiles', () => {
  const grid = (count: number, width: number, height: number) =>
    arrangeTiles(count, { width, height }, { gap: 8, minWidth: 150 })

  it('fills a wide frame with columns and an upright one with rows', () => {
    expect(grid(1, 1280, 720)).toEqual({ columns: 1, tileWidth: 1280 })
    expect(grid(2, 1280, 500).columns).toBe(2)
    expect(grid(4, 1280, 720)).toEqual({ columns: 2, tileWidth: 632 })
    expect(grid(3, 336, 640)).toEqual({ columns: 1, tileWidth: 336 })
    expect(grid(8, 336, 640).columns).toBe(2)
  })

  it('lets all tiles fit into the frame', () => {
    for (let count = 1; count <= 40; count += 1) {
      const { columns, tileWidth } = grid(count, 1280, 640)
      const rows = Math.ceil(count / columns)
      expect(columns * tileWidth + (columns - 1) * 8).toBeLessThanOrEqual(1280)
      expect((rows * tileWidth * 9) / 16 + (rows - 1) * 8).toBeLessThanOrEqual(640)
    }
  })

  it('keeps a smallest width, so that many tiles scroll', () => {
    expect(grid(60, 336, 500)).toEqual({ columns: 2, tileWidth: 164 })
    expect(grid(3, 100, 50)).toEqual({ columns: 1, tileWidth: 100 })
  })

  it('has a column without tiles, and in a hidden frame', () => {
    expect(grid(0, 300, 200).columns).toBe(1)
    expect(grid(3, 0, 0)).toEqual({ columns: 1, tileWidth: 0 })
  })
})

describe('levelOf', () => {
  const tone = (amplitude: number) => Float32Array.from({ length: 480 }, (_, i) => amplitude * Math.sin(i / 3))

  it('is on a scale of decibels from silence to full scale', () => {
    expect(levelOf(new Float32Array(480))).toBe(0)
    expect(levelOf(tone(0.0005))).toBe(0)
    expect(levelOf(tone(0.1))).toBeCloseTo(0.617, 2) // -23 dB
    expect(levelOf(tone(1))).toBeCloseTo(0.95, 2) // -3 dB
    expect(levelOf(tone(4))).toBe(1)
  })
})
