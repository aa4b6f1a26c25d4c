import { describe, expect, it } from 'vitest'
import { withTimeline } from '../../../../lib/show/state/timeline-events.ts'

const nine = Date.UTC(2026, 10, 20, 9)
const first = withTimeline([], nine, { what: 'recording.started', name: 'program' })

describe('noted', () => {
  it('adds events with their time, in order', () => {
    expect(
      withTimeline(first, nine + 1_500, { what: 'recording.failed', name: 'program' }, { what: 'show.ending' }),
    ).toEqual([
      { at: '2026-11-20T09:00:00.000Z', what: 'recording.started', name: 'program' },
      { at: '2026-11-20T09:00:01.500Z', what: 'recording.failed', name: 'program' },
      { at: '2026-11-20T09:00:01.500Z', what: 'show.ending' },
    ])
  })

  it('keeps existing events', () => {
    expect(withTimeline(first, nine + 5_000, { what: 'recording.started', name: 'program' })).toEqual(first)
  })

  it('distinguishes recordings by name', () => {
    expect(withTimeline(first, nine, { what: 'recording.started', name: 'speakers' })).toHaveLength(2)
  })

  it('changes no timeline that it is given', () => {
    withTimeline(first, nine, { what: 'show.ended' })
    expect(first).toHaveLength(1)
  })
})
