import { describe, expect, it } from 'vitest'
import { createSilenceFinder, MAX_SILENCES } from '../../../../lib/media/audio/measure-audio.ts'

const LOUD = 1000 ** 2
const QUIET = 100 ** 2 // just below -50 dB
const find = (...runs: [seconds: number, meanSquare: number][]) => {
  const finder = createSilenceFinder(0.01)
  for (const [seconds, meanSquare] of runs) for (let n = 0; n < seconds * 100; n++) finder.add(meanSquare)
  return finder.finish()
}

describe('createSilenceFinder', () => {
  it('finds what is quiet for two seconds, up to the end', () => {
    expect(find([1, LOUD], [2, QUIET], [1, LOUD], [1.99, QUIET], [1, LOUD], [3, 0])).toEqual([
      { start: 1, end: 3 },
      { start: 6.99, end: 9.99 },
    ])
  })

  it('takes the noise of a room for audio', () => {
    expect(find([5, 110 ** 2])).toEqual([])
  })

  it('keeps the longest of too many, in order', () => {
    const runs = Array.from({ length: MAX_SILENCES + 1 }, (_, n): [number, number][] => [
      [n === 7 ? 2 : 2.5, QUIET],
      [0.1, LOUD],
    ])
    const found = find(...runs.flat())
    expect(found).toHaveLength(MAX_SILENCES)
    expect(found.some(({ start, end }) => end - start < 2.4)).toBe(false)
    expect(found).toEqual(found.toSorted((a, b) => a.start - b.start))
  })
})
