import { describe, expect, it } from 'vitest'
import { reportedTones } from '../../../../../local/simulation/invariants/controls/reported-tones.ts'
import { change, showWith, watchFaultAt } from '../made-up-evidence.ts'

const name = 'platform playDtmfToConnection'
const path = '/session/s/connection/c/play-dtmf'
const answered = (status: number, caller = 'PlatformEvents') => ({
  ...{ at: 0, line: '', call: { caller, name, status, path } },
})
const lost = { ...watchFaultAt(0), operation: name, kind: 'lost before' as const }
const judge = (
  tones: string | undefined,
  trace: ReturnType<typeof answered>[],
  failedCalls = [watchFaultAt(0)],
  isAnswered = true,
) =>
  reportedTones({
    shows: [
      showWith({
        request: { dialIns: [] },
        state: { dialIns: [{ name: 'phone', connectionId: 'c', tones }] } as never,
      }),
    ],
    trace,
    failedCalls,
    platformEvents: [],
    statusChanges: isAnswered ? [change(0, { kind: 'call', connectionId: 'c', status: 'ACTIVE' })] : [],
  })

describe('reportedTones', () => {
  it('finds tones that are called failed, unknown or played, and were not', () => {
    expect(judge('failed', [answered(200)])).toEqual([
      'the tones of phone of the show a-show are called failed, and were played',
    ])
    expect(judge('unknown', [answered(400)])).toHaveLength(1)
    expect(judge('played', [answered(400)])).toHaveLength(1)
  })

  it('finds tones that are ordered before the callee has answered', () => {
    expect(judge('played', [answered(200)], [], false)).toEqual([
      'the tones of phone of the show a-show were ordered before the callee had answered',
    ])
  })

  it('finds tones that are played twice', () => {
    expect(judge('played', [answered(200), answered(200)])).toEqual([
      'the tones of phone of the show a-show were played 2 times',
    ])
  })

  it('accepts what happened, a lost answer, and tones that a caller plays', () => {
    expect(judge('failed', [answered(400)])).toEqual([])
    expect(judge('unknown', [answered(400)], [lost])).toEqual([])
    expect(judge('unknown', [answered(200)], [lost])).toEqual([])
    expect(judge('played', [answered(200), answered(200, 'Api/2')])).toEqual([])
    expect(judge(undefined, [])).toEqual([])
  })

  it('finds a failure without a reason, unless the tones are secret', () => {
    const failure = (tones: unknown, detail?: string) => {
      const dialIns = [{ name: 'phone', connectionId: 'c', tones: 'failed', tonesAskedAt: new Date(0).toISOString() }]
      const timeline = [{ what: 'dialIn.tonesFailed', name: 'phone', ...(detail && { detail }) }]
      return reportedTones({
        shows: [showWith({ request: { dialIns: [{ name: 'phone', tones }] }, state: { dialIns, timeline } } as never)],
        ...{ trace: [], failedCalls: [], platformEvents: [], statusChanges: [] },
      })
    }
    expect(failure('1#')).toEqual(['the tones of phone of the show a-show failed without a reason'])
    expect([...failure('1#', 'It was refused.'), ...failure({ secret: 'pin' })]).toEqual([])
    expect(failure({ secret: 'pin' }, 'The digits 12# are refused.')).toEqual([
      'the tones of phone of the show a-show are secret, and failed with a reason that may repeat them',
    ])
    expect(failure({ secret: 'pin' }, 'The secret pin does not exist.')).toEqual([])
  })

  it('finds ordered tones that were not played, unless the call or the show has ended', () => {
    const answer = change(0, { kind: 'call', connectionId: 'c', status: 'ACTIVE' })
    const unplayed = (state: object, changes = [answer], fault?: string) => {
      const dialIns = [{ name: 'phone', connectionId: 'c' }]
      const request = { dialIns: [{ name: 'phone', tones: '1#' }] }
      return reportedTones({
        shows: [showWith({ request, state: { dialIns, ...state } } as never)],
        trace: fault ? [{ at: 60_000, line: '', fault }] : [],
        failedCalls: [],
        platformEvents: [{}] as never,
        statusChanges: changes,
      })
    }
    const problem = ['the tones of phone of the show a-show were not played after the callee had answered']
    expect(unplayed({ endedAt: new Date(121_000).toISOString() })).toEqual(problem)
    expect(unplayed({ endedAt: new Date(119_000).toISOString() })).toEqual([])
    const ended = change(60_000, { kind: 'call', connectionId: 'c', status: 'ENDED' })
    expect(unplayed({}, [answer, ended])).toEqual([])
    expect(unplayed({}, [])).toEqual([])
    expect(unplayed({}, [answer], '500')).toEqual([])
  })
})
