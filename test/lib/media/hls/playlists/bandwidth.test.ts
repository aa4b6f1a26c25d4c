import { describe, expect, it } from 'vitest'
import { averageBandwidth, peakBandwidth } from '../../../../../lib/media/hls/playlists/master-playlist.ts'

describe('peakBandwidth', () => {
  it('is that of the heaviest run of between half and one and a half target durations', () => {
    const segments = [
      { duration: 6, size: 6000 },
      { duration: 6, size: 12_000 },
      { duration: 1, size: 100_000 }, // alone too short to count: with what is next to it, it does
    ]
    expect(peakBandwidth(segments, 6)).toBe(Math.ceil((112_000 * 8) / 7))
  })

  it('is that of the heaviest segment when all are too short', () => {
    expect(peakBandwidth([{ duration: 0.2, size: 100 }], 1)).toBe(4000)
    expect(peakBandwidth([], 1)).toBe(0)
  })
})

describe('averageBandwidth', () => {
  it('is all bits by all seconds', () => {
    expect(
      averageBandwidth([
        { duration: 6, size: 6000 },
        { duration: 2, size: 2001 },
      ]),
    ).toBe(8001)
    expect(averageBandwidth([])).toBe(0)
  })
})
