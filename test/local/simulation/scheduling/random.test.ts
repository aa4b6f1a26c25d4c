import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../../local/simulation/scheduling/random.ts'

describe('createRandom', () => {
  const draw = (seed: number, purpose: string) => {
    const random = createRandom(seed, purpose)
    return Array.from({ length: 20 }, random.next)
  }

  it('repeats a stream by its seed and purpose, and no other', () => {
    expect(draw(1, 'order')).toEqual(draw(1, 'order'))
    expect(draw(1, 'order')).not.toEqual(draw(2, 'order'))
    expect(draw(1, 'order')).not.toEqual(draw(1, 'ids'))
  })

  it('draws evenly', () => {
    const random = createRandom(7, 'dice')
    const counts = new Array(6).fill(0)
    for (let throws = 0; throws < 60_000; throws++) counts[random.below(6)]++
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(500) // five standard deviations
  })

  it('gives as many bytes and digits as asked for', () => {
    const random = createRandom(1, 'ids')
    expect(random.bytes(33)).toHaveLength(33)
    expect(random.hex(7)).toMatch(/^[0-9a-f]{7}$/)
  })
})
