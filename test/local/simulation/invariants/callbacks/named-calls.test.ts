import { describe, expect, it } from 'vitest'
import { namedCalls } from '../../../../../local/simulation/invariants/callbacks/named-calls.ts'
import { showWith } from '../made-up-evidence.ts'

const created = (connectionId: string, receivedAt = '2030-01-01T00:00:10.000Z') => ({
  detail: {
    ...{ kind: 'call', receivedAt },
    callback: { event: 'callCreated', sessionId: 'session', call: { id: 'call', connectionId } },
  },
})
const judge = (state: object, { events = [created('one')], failedCalls = [] as object[] } = {}) =>
  namedCalls({
    shows: [showWith({ state: { sessionId: 'session', dialIns: [], ...state } })],
    platformEvents: events,
    failedCalls,
  } as never)

describe('namedCalls', () => {
  it('accepts a call that the show knows, and one after its end', () => {
    expect(judge({ dialIns: [{ name: 'guest', connectionId: 'one' }] })).toEqual([])
    expect(judge({ endedAt: '2030-01-01T00:00:09.000Z' })).toEqual([])
    expect(judge({ sessionId: 'another' })).toEqual([])
  })

  it('finds a call that a callback has named in vain', () => {
    expect(judge({ dialIns: [{ name: 'guest', status: 'unknown' }] })).toEqual([
      'the show a-show does not know the call one',
    ])
  })

  it('accepts a call at about whose time the function that notes callbacks failed', () => {
    const failed = (at: string) => [{ caller: 'HandleCallback', operation: 's3 PutObject', at: Date.parse(at) }]
    expect(judge({}, { failedCalls: failed('2030-01-01T00:01:00.000Z') })).toEqual([])
    expect(judge({}, { failedCalls: failed('2030-01-01T01:00:00.000Z') })).toHaveLength(1)
  })
})
