import { describe, expect, it } from 'vitest'
import { parseShow } from '../../../../lib/show/document/show.ts'
import { drawWebinars } from '../../../../local/simulation/scale/webinars.ts'
import { createRandom } from '../../../../local/simulation/scheduling/random.ts'

const now = Date.UTC(2030, 0, 1)
const draw = (seed: number) => drawWebinars(createRandom(seed, 'webinars'), { shows: 400, hours: 2, now })

describe('drawWebinars', () => {
  it('draws valid shows, the same for a seed', () => {
    const webinars = draw(1)
    expect(webinars.filter(({ show }) => !('show' in parseShow(show)))).toEqual([])
    expect(draw(1)).toEqual(webinars)
    expect(draw(2)).not.toEqual(webinars)
  })

  it('lets most start on a full hour, and posts each before its start', () => {
    const starts = draw(1).flatMap(({ show: { start }, postedAt }) =>
      start && 'at' in start ? [{ at: Date.parse(start.at), postedAt }] : [],
    )
    expect(starts.length).toBeGreaterThan(280)
    expect(starts.length).toBeLessThan(360)
    expect(new Set(starts.map(({ at }) => (at - now) / 3_600_000))).toEqual(new Set([1, 2]))
    expect(starts.filter(({ at, postedAt }) => postedAt >= at || postedAt < now)).toEqual([])
  })
})
