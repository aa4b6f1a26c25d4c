import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ShowDocument } from '../../../../lib/show/document/show.ts'
import { createDraws } from '../../../../local/simulation/generator/draws.ts'
import type { Plan } from '../../../../local/simulation/generator/plan.ts'
import { failuresAfterClips, interruptedOutputs } from '../../../../local/simulation/generator/resource-failures.ts'
import { createRandom } from '../../../../local/simulation/scheduling/random.ts'

const everything: ShowDocument = JSON.parse(readFileSync('examples/everything.json', 'utf8'))
const drawsOf = (seed: number) => createDraws(createRandom(seed, 'failures'))
const SEEDS = Array.from({ length: 400 }, (_, seed) => seed)

describe('failuresAfterClips', () => {
  const clip = { at: 100, after: 'live', key: 'clip-0', posts: 1, together: false } as const
  const controls: Plan['controls'] = [{ ...clip, control: { what: 'clip', name: 'Clip', last: 10 } }]
  const failures = SEEDS.flatMap((seed) => failuresAfterClips(drawsOf(seed), { controls }))

  it('lets a recording fail within a minute of a clip, in half of all shows with clips', () => {
    expect(failures.length).toBeGreaterThan(150)
    expect(failures.length).toBeLessThan(250)
    for (const { at, of } of failures) {
      expect(of).toBe('archive')
      expect(at).toBeGreaterThanOrEqual(100)
      expect(at).toBeLessThanOrEqual(160)
    }
  })

  it('lets none fail without a clip', () => {
    expect(SEEDS.flatMap((seed) => failuresAfterClips(drawsOf(seed), { controls: [] }))).toEqual([])
  })
})

describe('interruptedOutputs', () => {
  it('interrupts outputs twice or three times, in a third of the shows that have some', () => {
    const drawn = SEEDS.map((seed) => interruptedOutputs(drawsOf(seed), everything)).filter(({ length }) => length > 0)
    expect(drawn.length).toBeGreaterThan(90)
    expect(drawn.length).toBeLessThan(180)
    for (const { length } of drawn) expect([2, 3]).toContain(length)
  })

  it('interrupts nothing in a show without RTMP', () => {
    const alone = { ...everything, broadcasts: [{ name: 'live', hls: {} }] }
    expect(SEEDS.flatMap((seed) => interruptedOutputs(drawsOf(seed), alone))).toEqual([])
  })
})
