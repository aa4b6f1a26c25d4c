import { describe, expect, it } from 'vitest'
import { unprovokedEnds } from '../../../../../local/simulation/invariants/ends/unprovoked-ends.ts'
import { faultAt, showWith } from '../made-up-evidence.ts'

const reportedAt = new Date(5_000).toISOString()
const judge = (
  status: string,
  { reason = 'It broke.', trace = [faultAt(9_000)], recordings = [{}], statusChanges = [{}] } = {},
) =>
  unprovokedEnds({
    trace,
    shows: [showWith({ result: { status, reason, reportedAt, recordings } })],
    statusChanges,
  } as unknown as Parameters<typeof unprovokedEnds>[0])

const LOST = { archiveId: 'one', lost: 'It had not arrived.' }

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

  it('accepts the loss of a recording that is uploaded after the show, and of no other', () => {
    const uploaded = (at: number) => ({ recordings: [LOST], statusChanges: [{ id: 'one', status: 'uploaded', at }] })
    expect(judge('failed', uploaded(6_000))).toEqual([])
    expect(judge('failed', uploaded(4_000))).toHaveLength(1)
    expect(judge('failed', { ...uploaded(6_000), recordings: [{ archiveId: 'one' }] })).toHaveLength(1)
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
