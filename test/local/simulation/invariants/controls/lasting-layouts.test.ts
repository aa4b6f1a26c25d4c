import { describe, expect, it } from 'vitest'
import { lastingLayouts } from '../../../../../local/simulation/invariants/controls/lasting-layouts.ts'
import { asked, change, showWith } from '../made-up-evidence.ts'

const patch = (at: number, type: string, status = 200) =>
  asked(at, {
    method: 'PATCH',
    path: '/shows/a-show',
    body: JSON.stringify({ layouts: [{ recording: 'program', layout: { type } }] }),
    status,
  })
const judge = (type: string, more: Partial<Parameters<typeof lastingLayouts>[0]> = {}) =>
  lastingLayouts({
    shows: [showWith()],
    statusChanges: [
      change(20_000, { id: 'two', tag: 'a-show/program/2' }),
      change(400_000, { id: 'two', tag: 'a-show/program/2', status: 'stopped' }),
    ],
    layouts: [{ at: 20_000, id: 'two', layout: { type } }] as never,
    apiRequests: [patch(10_000, 'pip')],
    trace: [],
    failedCalls: [],
    ...more,
  })

describe('lastingLayouts', () => {
  it('finds a part that is not drawn as was ordered shortly before it began', () => {
    expect(judge('pip')).toEqual([])
    expect(judge('bestFit')).toEqual(['part 2 of program is drawn as bestFit, and pip was ordered last'])
  })

  it('accepts a change that was refused or that is asked for too late, cues, and faults', () => {
    expect(judge('bestFit', { apiRequests: [patch(10_000, 'pip', 409)] })).toEqual([])
    expect(judge('bestFit', { apiRequests: [patch(390_000, 'pip')] })).toEqual([])
    const cues = [{ at: 60, recording: 'program', layout: { type: 'bestFit' } }]
    expect(judge('bestFit', { shows: [showWith({ request: { cues } })] })).toEqual([])
    const failed = { caller: 'Api', operation: 'platform setArchiveLayout', kind: '500', at: 10_000 } as const
    expect(judge('bestFit', { failedCalls: [failed] })).toEqual([])
  })
})
