import { describe, expect, it } from 'vitest'
import { clipOrder } from '../../../../../lib/show/document/orders/clip.ts'
import { rebuildOrder } from '../../../../../lib/show/document/orders/rebuild.ts'
import { createDraws } from '../../../../../local/simulation/generator/draws.ts'
import { randomEdits } from '../../../../../local/simulation/generator/edits/edits.ts'
import { createRandom } from '../../../../../local/simulation/scheduling/random.ts'

const draw = (seed: number) => randomEdits(createDraws(createRandom(seed, 'edits')))
const all = Array.from({ length: 500 }, (_, index) => draw(index + 1)).flatMap((one) => one ?? [])

describe('randomEdits', () => {
  it('repeats edits by their seed, and draws each kind more than 20 times in 500 seeds', () => {
    expect(draw(3)).toEqual(draw(3))
    const kinds = Map.groupBy(
      all.flatMap(({ edits }) => edits),
      ({ edit }) => edit.what,
    )
    expect([...kinds.keys()].toSorted()).toEqual(
      ['captions', 'clip', 'delete', 'deleteCaptions', 'deleteClip', 'rebuild', 'restore', 'revoke'].toSorted(),
    )
    expect(Math.min(...[...kinds.values()].map(({ length }) => length))).toBeGreaterThan(20)
  })

  it('orders clips and rebuilds that the API accepts', () => {
    for (const { edit } of all.flatMap(({ edits }) => edits)) {
      if (edit.what === 'clip') clipOrder.parse(edit.order)
      if (edit.what === 'rebuild') rebuildOrder.parse(edit.formats ? { formats: edit.formats } : {})
    }
  })

  it('uses each key once', () => {
    for (const { edits } of all) expect(new Set(edits.map(({ key }) => key)).size).toBe(edits.length)
  })

  it('awaits the end of some deletions that can be restored', () => {
    const awaited = all.filter(({ awaitsPurge }) => awaitsPurge)
    expect(awaited.length).toBeGreaterThan(20)
    expect(awaited.length).toBeLessThan(120)
    for (const { edits } of awaited) expect(edits.at(-1)?.edit).toEqual({ what: 'delete', permanently: false })
  })
})
