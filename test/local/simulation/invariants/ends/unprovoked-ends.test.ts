import { describe, expect, it } from 'vitest'
import { unprovokedEnds } from '../../../../../local/simulation/invariants/ends/unprovoked-ends.ts'
import { faultAt, showWith } from '../made-up-evidence.ts'

const judge = (status: string, { reason = 'It broke.', trace = [faultAt(9_000)] } = {}) =>
  unprovokedEnds({
    trace,
    shows: [showWith({ result: { status, reason, reportedAt: new Date(5_000).toISOString() } })],
  })

describe('unprovokedEnds', () => {
  it('finds a show that failed before any fault struck', () => {
    expect(judge('failed')).toEqual(['the show a-show failed before any fault struck: It broke.'])
    expect(judge('failed', { trace: [] })).toHaveLength(1)
  })

  it('accepts other ends, those after a fault, and those of a wrong document', () => {
    expect(judge('stopped')).toEqual([])
    expect(judge('failed', { trace: [faultAt(4_000)] })).toEqual([])
    expect(judge('failed', { reason: 'The secret keys#one does not exist.' })).toEqual([])
  })

  it('finds a show that fails because of a session of the own project', () => {
    const refused = (theirs: number) =>
      `The show’s session.id belongs to the platform project ${theirs}, but this deployment uses 12: create the session there.`
    const trace = [faultAt(0)]
    expect(judge('failed', { reason: refused(12), trace })).toEqual([
      'the show a-show failed because of a session of the own project',
    ])
    expect(judge('failed', { reason: refused(34), trace })).toEqual([])
  })
})
