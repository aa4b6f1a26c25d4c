import { describe, expect, it } from 'vitest'
import { openMedia } from '../open-media.ts'
import { framesApart, join, record, recordPattern, sightsOf, soundOf } from './recordings.ts'

describe('createFileSource', () => {
  it('shows the frame of the time since its publishing, again and again, in sync with its sound', async () => {
    const world = await openMedia()
    const path = await recordPattern(world, 2_000)
    const { codes } = await sightsOf(world, path)
    await join(world, path)
    await world.clock.advance(1_700) // nobody looks: it goes on nevertheless
    const recorded = await record(world, 'seen', 3_000)
    const seen = await sightsOf(world, recorded)
    expect(seen.codes).toEqual(Array.from({ length: 90 }, (_, index) => codes[(51 + index) % 60]))
    expect(seen.flashes).toEqual([0.8, 1.8, 2.8].map((second) => expect.closeTo(second, 3)))
    for (const apart of framesApart(seen.flashes, await soundOf(world, recorded))) expect(apart).toBeLessThan(1)
  })
})
