import { describe, expect, it } from 'vitest'
import type { ShowDocument } from '../../../../lib/show/document/show.ts'
import { randomWaitingClip } from '../../../../local/simulation/generator/controls/clips.ts'
import { createDraws } from '../../../../local/simulation/generator/draws.ts'
import { createRandom } from '../../../../local/simulation/scheduling/random.ts'

const show: ShowDocument = {
  ...{ version: 1, name: 'Talk', duration: 600 },
  recordings: [{ name: 'program' }, { name: 'stage' }],
  broadcasts: [{ name: 'live', hls: {} }],
}
const SEEDS = Array.from({ length: 400 }, (_, seed) => seed)
const draw = (document: ShowDocument) =>
  SEEDS.map((seed) => randomWaitingClip(createDraws(createRandom(seed, 'clip')), document))

describe('randomWaitingClip', () => {
  const drawn = draw(show).filter((one) => one !== undefined)

  it('requests a clip early in half of all shows that have one', () => {
    expect(drawn.length).toBeGreaterThan(150)
    expect(drawn.length).toBeLessThan(250)
    for (const { control, show: clipped } of drawn) {
      expect(clipped.publish?.formats).toContain('hls')
      expect(control.at).toBeLessThanOrEqual(240)
    }
  })

  it('lets all recordings fail after some of these clips', () => {
    const failing = drawn.filter(({ failures }) => failures.length > 0)
    expect(failing.length).toBeGreaterThan(drawn.length / 3)
    expect(failing.length).toBeLessThan(drawn.length)
    for (const { control, failures } of failing)
      expect(failures.map(({ at, of }) => [at - control.at, of])).toEqual([
        [5, 'archive'],
        [6, 'archive'],
      ])
  })

  it('requests none without a recording, or without a broadcast by HLS', () => {
    expect(draw({ ...show, recordings: [] }).filter(Boolean)).toEqual([])
    expect(draw({ ...show, broadcasts: [{ name: 'live', rtmp: [] }] }).filter(Boolean)).toEqual([])
  })
})
