import { describe, expect, it } from 'vitest'
import { samplesIn, silence } from '../../../../lib/media/composite/opus.ts'

describe('samplesIn', () => {
  it.each([
    ['a SILK frame of 60 ms', [3 << 3], 2880],
    ['a hybrid frame of 20 ms', [13 << 3], 960],
    ['a CELT frame of 2.5 ms', [28 << 3], 120],
    ['two equal frames of 20 ms', [(31 << 3) | 1], 1920],
    ['three frames of 10 ms, counted', [(30 << 3) | 3, 3], 1440],
    ['nothing', [], 0],
  ])('counts %s', (_, bytes, samples) => {
    expect(samplesIn(Buffer.from(bytes))).toBe(samples)
  })
})

describe('silence', () => {
  it.each([0, 119, 120, 1000, 48_000])('lasts %i samples, rounded down to a frame of 120', (samples) => {
    const packets = [...silence(samples)]
    expect(packets.reduce((sum, packet) => sum + packet.samples, 0)).toBe(samples - (samples % 120))
    for (const packet of packets) expect(samplesIn(packet.data)).toBe(packet.samples)
  })

  it('is empty for a negative duration', () => {
    expect([...silence(-500)]).toEqual([])
  })
})
