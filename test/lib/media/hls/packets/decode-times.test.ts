import { describe, expect, it } from 'vitest'
import { timeSamples } from '../../../../../lib/media/hls/packets/decode-times.ts'
import { findReordering } from '../../../../../lib/media/hls/packets/reordering.ts'
import { toSamples } from '../../../../../lib/media/hls/packets/samples.ts'

/** Frames in stored order, by the place in which they are shown; the first is a keyframe. */
const STORED = [0, 4, 2, 1, 3, 8, 6, 5, 7]

function timed(frameTicks: number, first: number) {
  const listed = STORED.map((place) => {
    const time = first + place * frameTicks
    return { time, duration: frameTicks, size: 1, isKey: place === 0 }
  })
  const { delay } = findReordering(listed)
  const lead = Math.max(0, -first)
  return { delay, lead, frames: timeSamples(toSamples(listed, null), { delay, lead }) }
}

describe('timeSamples', () => {
  it.each([
    ['at the start', 512, 0],
    ['at the start, where a frame is one tick', 1, 0],
    ['half a second late', 512, 7680],
    ['before the start', 512, -700],
    ['later on', 512, 1_000_000],
  ])('decodes frames one after the other, none before 0 and none after it is shown: %s', (_, frameTicks, first) => {
    const { lead, frames } = timed(frameTicks, first)
    let previous = { decodeTime: 0, decodeDuration: 0 }
    for (const frame of frames) {
      expect(frame.decodeTime).toBeLessThanOrEqual(frame.time + lead)
      if (frame !== frames[0]) expect(frame.decodeTime).toBe(previous.decodeTime + previous.decodeDuration)
      expect(frame.decodeDuration).toBeGreaterThanOrEqual(frameTicks > 1 ? 1 : 0)
      previous = frame
    }
  })

  it('spreads only the first, so that separate pieces fit together', () => {
    const { delay, frames } = timed(512, 0)
    expect(delay).toBe(1024)
    expect(frames.map(({ decodeTime }) => decodeTime)).toEqual([0, 1, 2, 512, 1024, 1536, 2048, 2560, 3072])
    const { decodeTime = 0, decodeDuration = 0 } = frames.at(-1) ?? {}
    expect(decodeTime + decodeDuration).toBe(timed(512, STORED.length * 512).frames[0]?.decodeTime)
  })

  it('returns none for no samples', () => {
    expect(timeSamples([], { delay: 3, lead: 0 })).toEqual([])
  })
})
