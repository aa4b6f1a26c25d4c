import { describe, expect, it } from 'vitest'
import { noted } from '../../../../lib/show/state/timeline-events.ts'

const nine = Date.UTC(2026, 10, 20, 9)
const first = noted([], nine, { what: 'recording.started', name: 'program' })

describe('noted', () => {
  it('adds what has happened with its time, in order', () => {
    expect(noted(first, nine + 1_500, { what: 'recording.failed', name: 'program' }, { what: 'show.ending' })).toEqual([
      { at: '2026-11-20T09:00:00.000Z', what: 'recording.started', name: 'program' },
      { at: '2026-11-20T09:00:01.500Z', what: 'recording.failed', name: 'program' },
      { at: '2026-11-20T09:00:01.500Z', what: 'show.ending' },
    ])
  })

  it('leaves what stands there already as it was', () => {
    expect(noted(first, nine + 5_000, { what: 'recording.started', name: 'program' })).toEqual(first)
  })

  it('tells recordings apart by name', () => {
    expect(noted(first, nine, { what: 'recording.started', name: 'speakers' })).toHaveLength(2)
  })

  it('changes no timeline that it is given', () => {
    noted(first, nine, { what: 'show.ended' })
    expect(first).toHaveLength(1)
  })
})
