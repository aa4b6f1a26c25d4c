import { describe, expect, it } from 'vitest'
import { attendedEnds } from '../../../../../local/simulation/invariants/ends/attended-ends.ts'
import { showWith } from '../made-up-evidence.ts'

const moves = (seconds: number, name: 'join' | 'leave', status = 200) => ({
  ...{ at: seconds * 1000, line: '' },
  call: { caller: 'Ada', name: `platform ${name}Session`, status, path: '/session/s' },
})
const EMPTY = 'No participant has published for 300 s.'

/** Judges a show that ends at 900 s. */
const judge = (trace: Parameters<typeof attendedEnds>[0]['trace'], { endReason = EMPTY, publishes = true } = {}) =>
  attendedEnds({
    shows: [showWith({ state: { sessionId: 's', endedAt: new Date(900_000).toISOString(), endReason } })],
    trace,
    publishers: new Set(publishes ? ['Ada'] : []),
  })

describe('attendedEnds', () => {
  it('finds an end of an empty show while a participant publishes', () => {
    const problem = ['the show a-show ended as empty at 1970-01-01T00:15:00.000Z, while Ada published']
    expect(judge([moves(0, 'join')])).toEqual(problem)
    expect(judge([moves(839, 'join'), moves(901, 'leave')])).toEqual(problem)
  })

  it('accepts one after the last participant has left, or joined a moment before', () => {
    expect(judge([moves(0, 'join'), moves(600, 'leave')])).toEqual([])
    expect(judge([moves(840, 'join')])).toEqual([])
    expect(judge([moves(0, 'join')], { publishes: false })).toEqual([])
    expect(judge([moves(0, 'join')], { endReason: 'The latest end was reached.' })).toEqual([])
  })

  it('accepts one after a request to disconnect, or a corrupt answer', () => {
    const asked = { at: 1, line: '', call: { caller: 'app', name: 'api POST /shows/a/disconnect', status: 200 } }
    const corrupt = { at: 1, line: 'fault: WatchShow -> platform listStreams garbage' }
    expect([...judge([moves(0, 'join'), asked]), ...judge([moves(0, 'join'), corrupt])]).toEqual([])
  })
})
