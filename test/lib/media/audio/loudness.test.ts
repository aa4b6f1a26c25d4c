import { describe, expect, it } from 'vitest'
import { parseLoudness } from '../../../../lib/media/audio/measure-audio.ts'

const summary = (integrated: string, peak: string) =>
  `[Parsed_ebur128_2] [info] Summary:\n\n  Integrated loudness:\n    I:         ${integrated} LUFS\n    Threshold: -37.1 LUFS\n\n` +
  `  Loudness range:\n    LRA:         6.5 LU\n    Threshold: -47.1 LUFS\n\n  True peak:\n    Peak:      ${peak} dBFS\n`

describe('parseLoudness', () => {
  it('reads the last summary', () => {
    const words = summary('-70.0', '-inf') + summary('-23.1', '0.4')
    expect(parseLoudness(words)).toEqual({ integrated: -23.1, range: 6.5, truePeak: 0.4 })
  })

  it('is null for silence', () => {
    expect(parseLoudness(summary('-70.0', '-inf'))).toBeNull()
  })

  it('is undefined without a summary', () => {
    expect(parseLoudness('[info] Stream mapping:')).toBeUndefined()
  })
})
