import { describe, expect, it } from 'vitest'
import { createSampleQueue } from '../../../../../local/sandbox/sip/media/sample-queue.ts'

describe('createSampleQueue', () => {
  it('returns samples in the order in which they were added, however many wait', () => {
    const queue = createSampleQueue()
    const added: number[] = []
    const taken: number[] = []
    for (let turn = 0; turn < 40; turn++) {
      const samples = Int16Array.from({ length: 1_000 }, (_, index) => turn * 1_000 + index - 20_000)
      added.push(...samples)
      queue.add(samples)
      taken.push(...queue.take(turn < 20 ? 300 : 1_500))
    }
    expect(taken).toEqual(added.slice(0, taken.length))
    expect(queue.length).toBe(added.length - taken.length)
  })
  it('fills up with silence what is missing, and drops no more than there is', () => {
    const queue = createSampleQueue()
    queue.add(Int16Array.of(1, 2, 3))
    queue.addSilence(1)
    queue.drop(1)
    expect([...queue.take(5)]).toEqual([2, 3, 0, 0, 0])
    queue.add(Int16Array.of(4, 5))
    queue.drop(9)
    expect(queue.length).toBe(0)
    queue.add(Int16Array.of(6))
    expect([...queue.take(1)]).toEqual([6])
  })
})
