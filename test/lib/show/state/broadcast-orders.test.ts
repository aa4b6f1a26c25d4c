import { describe, expect, it } from 'vitest'
import { broadcastOrder } from '../../../../lib/show/document/broadcast.ts'
import { broadcastOrderOf } from '../../../../lib/show/state/broadcast-orders.ts'

describe('broadcastOrderOf', () => {
  const [ordered, added] = ['live', 'more'].map((name) => broadcastOrder.parse({ name, hls: {} }))
  it('prefers the request, and finds the order of any part in the state', () => {
    const parts = [
      { name: 'more', part: 1, tag: '1' },
      { name: 'more', part: 2, tag: '2', ...(added && { order: added }) },
    ]
    expect(broadcastOrderOf('live', ordered ? [ordered] : [], { broadcasts: parts })).toBe(ordered)
    expect(broadcastOrderOf('more', [], { broadcasts: parts })).toBe(added)
    expect(broadcastOrderOf('none', [], { broadcasts: parts })).toBeUndefined()
  })
})
