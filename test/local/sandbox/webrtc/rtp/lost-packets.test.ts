import { describe, expect, it } from 'vitest'
import { createLostPackets } from '../../../../../local/sandbox/webrtc/rtp/lost-packets.ts'

/** Records packets that arrive at 0 ms. */
function packets(...sequences: readonly number[]) {
  const lost = createLostPackets()
  for (const sequence of sequences) lost.arrived(sequence, 0)
  return lost
}

describe('createLostPackets', () => {
  it('requests what is missing after 10 ms, and again each 50 ms, eight times', () => {
    const lost = packets(10, 13, 14)
    expect(lost.due(9)).toEqual([])
    const times = Array.from({ length: 60 }, (_, index) => 10 * index).filter((now) => lost.due(now).length > 0)
    expect(times).toEqual([10, 60, 110, 160, 210, 260, 310, 360])
    expect(lost.count).toBe(0)
    expect(packets(10, 13, 14).due(10)).toEqual([11, 12])
  })

  it('does not request a packet that was late, or that was sent again', () => {
    const lost = packets(10, 13, 12)
    expect(lost.due(10)).toEqual([11])
    lost.arrived(11, 20)
    expect([lost.count, lost.due(100)]).toEqual([0, []])
  })

  it('continues beyond 65535, also when the packets at the end are lost', () => {
    const lost = packets(65_533, 2, 3)
    expect(lost.due(10)).toEqual([65_534, 65_535, 0, 1])
    lost.arrived(0, 20)
    expect(lost.due(60)).toEqual([65_534, 65_535, 1])
    lost.arrived(5, 70)
    expect(lost.due(80)).toEqual([4])
  })

  it('requests nothing of a gap that only a keyframe repairs, and 200 packets at most', () => {
    expect(packets(10, 12, 500).count).toBe(0)
    const lost = packets(10, 160, 310)
    expect(lost.count).toBe(200)
    expect(lost.due(10).at(-1)).toBe(309)
  })
})
