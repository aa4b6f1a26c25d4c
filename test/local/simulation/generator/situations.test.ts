import { describe, expect, it } from 'vitest'
import { parseShow } from '../../../../lib/show/document/show.ts'
import { createDraws } from '../../../../local/simulation/generator/draws.ts'
import { type Situation, situationOf } from '../../../../local/simulation/generator/situations.ts'
import { createRandom } from '../../../../local/simulation/scheduling/random.ts'

const situations = Array.from({ length: 100 }, (_, seed) => ({
  seed,
  situation: situationOf(seed, createDraws(createRandom(seed, 'situation'))),
}))
const found = situations.flatMap(({ situation }) => situation ?? [])
const some = (is: (situation: Situation) => unknown) => found.filter(is).length

describe('situationOf', () => {
  it('gives a situation to every fifth seed', () => {
    expect(situations.filter(({ situation }) => situation).map(({ seed }) => seed % 5)).toEqual(Array(20).fill(4))
  })

  it('has shows that are accepted as they are', () => {
    for (const { show } of found) expect(() => parseShow(show)).not.toThrow()
  })

  it('has every kind twice', () => {
    expect([
      some(({ plan }) => plan.controls.some(({ control }) => control.what === 'stop')),
      some(({ chaos }) => chaos.failures?.some(({ of }) => of === 'broadcast')),
      some(({ chaos }) => chaos.forgetsBroadcasts),
      some(({ plan }) => plan.controls.some(({ control }) => control.what === 'change')),
      some(({ plan }) => plan.appOutages.some(({ answers }) => answers === 'silence')),
      some(({ plan }) => plan.edits?.edits.some(({ edit }) => edit.what === 'restore')),
      some(({ chaos }) => chaos.failures?.some(({ isNextPart }) => isNextPart)),
      some(({ show }) => (show.duration ?? 0) > 14_400),
      some(({ plan }) => plan.controls.some(({ control }) => control.what === 'clip')),
      some(({ plan }) => plan.controls.some(({ control }) => control.what === 'marker')),
    ]).toEqual(Array(10).fill(2))
  })
})
