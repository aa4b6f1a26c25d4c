import { describe, expect, it } from 'vitest'
import type { LivePacket } from '../../../../../local/sandbox/media/live/packets.ts'
import { createReorder } from '../../../../../local/sandbox/media/live/reorder.ts'

/** Pushes packets as sequence numbers with their times, and returns what comes out: numbers, and `loss`. */
function pass(...packets: readonly [sequence: number, at: number][]) {
  const passed: (number | 'loss')[] = []
  const push = createReorder(
    ({ sequence }) => passed.push(sequence),
    () => passed.push('loss'),
  )
  for (const [sequence, at] of packets) push({ sequence, at } as LivePacket)
  return passed.slice(1) // the first packet begins the sequence, like one after a loss
}

describe('createReorder', () => {
  it('puts packets in order, also where their numbers start again, and drops duplicates', () => {
    expect(pass([65_534, 0], [0, 1], [65_535, 2], [65_535, 3], [1, 4])).toEqual([65_534, 65_535, 0, 1])
  })

  it('waits 150 ms for a missing packet, which may be sent again', () => {
    expect(pass([1, 0], [3, 10], [4, 100], [2, 150], [5, 160])).toEqual([1, 2, 3, 4, 5])
  })

  it('reports a loss and continues after it', () => {
    expect(pass([1, 0], [3, 10], [4, 170], [6, 180], [2, 190])).toEqual([1, 'loss', 3, 4])
  })

  it('begins again after a pause', () => {
    expect(pass([1, 0], [40_000, 6_000], [40_001, 6_010])).toEqual([1, 'loss', 40_000, 40_001])
  })
})
