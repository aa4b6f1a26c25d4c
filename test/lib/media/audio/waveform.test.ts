import { describe, expect, it } from 'vitest'
import { createWaveform, MAX_POINTS } from '../../../../lib/media/audio/waveform.ts'

describe('createWaveform', () => {
  it('gives the lowest and the highest sample of every 10 ms, as 8 bits', () => {
    const waveform = createWaveform({ seconds: 0.02, sampleRate: 48_000, blockSamples: 480 })
    waveform.add(-32_768, 32_767)
    waveform.add(-256, 255)
    expect(waveform.finish()).toEqual({
      version: 2,
      channels: 1,
      sample_rate: 48_000,
      samples_per_pixel: 480,
      bits: 8,
      length: 2,
      data: [-128, 127, -1, 0],
    })
  })

  it('has no more than 8,000 points for twelve hours, none of which loses a peak', () => {
    const seconds = 12 * 3600
    const waveform = createWaveform({ seconds, sampleRate: 48_000, blockSamples: 480 })
    for (let n = 0; n < seconds * 100; n++) waveform.add(-1, n === 123_456 ? 20_000 : 1)
    const { length, samples_per_pixel, data } = waveform.finish()
    expect(length).toBe(MAX_POINTS)
    expect(length * samples_per_pixel).toBe(seconds * 48_000)
    expect(data.indexOf(20_000 >> 8)).toBe(Math.floor((123_456 * 480) / samples_per_pixel) * 2 + 1)
  })
})
