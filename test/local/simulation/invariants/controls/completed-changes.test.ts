import { describe, expect, it } from 'vitest'
import { completedChanges } from '../../../../../local/simulation/invariants/controls/completed-changes.ts'
import { showWith } from '../made-up-evidence.ts'

const noted = [{ what: 'control.layout', id: 'change-1', at: new Date(0).toISOString() }]
const judge = (control: object, timeline: object[] = noted) =>
  completedChanges({
    shows: [showWith({ state: { controls: [{ id: 'change-1', ...control }], timeline } as never })],
  })

describe('completedChanges', () => {
  it('finds a control that was carried out, and is neither done nor pending', () => {
    expect(judge({ done: false })).toEqual(['the control change-1 of the show a-show was carried out, and is not done'])
  })

  it('accepts one that is done, one that is pending, and one that was interrupted before its effect was noted', () => {
    expect(judge({ done: true })).toEqual([])
    expect(judge({ done: false, pending: {} })).toEqual([])
    expect(judge({ done: false }, [])).toEqual([])
  })
})
