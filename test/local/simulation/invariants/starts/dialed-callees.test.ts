import { describe, expect, it } from 'vitest'
import { dialedCallees } from '../../../../../local/simulation/invariants/starts/dialed-callees.ts'
import { showWith, watchFaultAt } from '../made-up-evidence.ts'

const at = (seconds: number) => new Date(seconds * 1000).toISOString()

/** Judges a show that orders one dial-in, and that was live from 0 s to 600 s by default. */
const judge = (dialIns: readonly object[], times: object = {}, failedCalls = [watchFaultAt(0)]) =>
  dialedCallees({
    failedCalls,
    shows: [
      showWith({
        request: { dialIns: [{ name: 'studio' }] },
        state: { liveAt: at(0), endedAt: at(600), dialIns, ...times } as never,
      }),
    ],
  })

describe('dialedCallees', () => {
  it.each([
    ['was dialed', { status: 'dialed' }],
    ['is being dialed', { askedAt: at(10) }],
    ['has a problem', { problem: 'The call was refused.' }],
  ])('accepts a callee that %s', (_, entry) => {
    expect(judge([{ name: 'studio', ...entry }])).toEqual([])
  })

  it('finds a callee that was not dialed, beside another one', () => {
    const problem = ['the show a-show did not dial studio']
    expect(judge([])).toEqual(problem)
    expect(judge([{ name: 'studio' }])).toEqual(problem)
    expect(judge([{ name: 'other', status: 'dialed' }])).toEqual(problem)
  })

  it('judges only shows that were live for two minutes before they were stopped', () => {
    expect(judge([], { endedAt: at(119) })).toEqual([])
    expect(judge([], { stopAskedAt: at(119) })).toEqual([])
    expect(judge([], { liveAt: undefined })).toEqual([])
    expect(judge([], { endedAt: at(120) })).toHaveLength(1)
    expect(judge([], { endedAt: undefined })).toHaveLength(1)
  })

  it('accepts a callee that a fault has kept from being dialed', () => {
    expect(judge([{ name: 'studio' }], {}, [watchFaultAt(0, 'StartDialIn')])).toEqual([])
    expect(judge([{ name: 'studio' }])).toHaveLength(1)
  })
})
