import { describe, expect, it } from 'vitest'
import { eventCursorOf, eventCursorPattern, eventsAfter } from '../../../../lib/api/history/event-cursor.ts'

const at = (seconds: number) => new Date(1_796_148_000_000 + seconds * 1000).toISOString()
const [a, b, c] = [
  { id: 'a', at: at(0) },
  { id: 'b', at: at(30) },
  { id: 'c', at: at(200) },
]

describe('eventsAfter', () => {
  it('lists each event once, also one that became visible after a newer one', () => {
    const cursor = eventCursorOf([a, c])
    expect(cursor).toMatch(eventCursorPattern)
    const late = { id: 'late', at: at(190) }
    expect(eventsAfter([a, late, c], cursor)).toEqual([late])
    expect(eventsAfter([a, late, c], eventCursorOf([a, late, c]))).toEqual([])
  })

  it('lists everything after the cursor of an empty list', () => {
    expect(eventCursorOf([])).toMatch(eventCursorPattern)
    expect(eventsAfter([a, b, c], eventCursorOf([]))).toEqual([a, b, c])
  })

  it('keeps a cursor short after thousands of events', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => ({ id: `e${index}`, at: at(index) }))
    expect(eventCursorOf(many).length).toBeLessThan(600)
    expect(eventsAfter(many, eventCursorOf(many))).toEqual([])
  })
})
