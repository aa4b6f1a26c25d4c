import { describe, expect, it } from 'vitest'
import { namedProblems } from '../../../../../local/simulation/invariants/ends/named-problems.ts'
import { showWith } from '../made-up-evidence.ts'

const output = (id: string, status: string) => ({ id, status })
const live = { name: 'stage', part: 1, status: 'started', rtmp: [output('one', 'live')] }
const off = { at: '', what: 'output.failed', name: 'stage', part: 1, id: 'one' }
const stateWith = (more: object) => ({
  broadcasts: [live],
  scenes: [],
  dialIns: [],
  timeline: [],
  liveAt: 'now',
  ...more,
})
const judge = (state: object, result: object) =>
  namedProblems({
    shows: [showWith({ state: stateWith(state) as object, result: { reason: 'It ended.', ...result } })],
  }).map((one) => one.replace('the show a-show ', ''))

describe('namedProblems', () => {
  it('finds outputs that the reason omits, words in another way, or names without need', () => {
    const twice = 'The output one of the broadcast stage was off the air 2 times.'
    expect(judge({}, {})).toEqual([])
    expect(judge({ timeline: [off, off] }, { status: 'degraded', reason: twice })).toEqual([])
    expect(judge({ timeline: [off, off] }, { reason: twice })).toEqual([
      'is succeeded, although an output was off the air',
    ])
    expect(judge({ timeline: [off] }, { status: 'degraded', reason: twice })).toEqual([
      'does not say: The output one of the broadcast stage was off the air for a time.',
    ])
    expect(judge({}, { status: 'degraded' })).toEqual(['is degraded, and no output was off the air'])
  })

  it('finds other problems that the reason omits, and a wrong number of those that are not named', () => {
    const dialIns = Array.from({ length: 6 }, (_, index) => ({ name: `d${index}`, status: 'unknown' }))
    const reason = dialIns.map(({ name }) => `The outcome of the dial-in ${name} is unknown.`).join(' ')
    expect(judge({ dialIns }, { reason: `${reason} 1 more problems occurred.` })).toEqual([])
    expect(judge({ dialIns }, { reason })).toEqual(['says that 0 more problems occurred, and 1 did'])
    expect(judge({ scenes: [{ name: 'slides', problem: 'Gone.' }] }, {})).toEqual([
      'does not say: The scene slides failed. Gone.',
    ])
    expect(judge({ dialIns: [{ name: 'd', tones: 'failed' }] }, {})).toEqual([
      'does not say: The tones for the dial-in d could not be played.',
    ])
  })

  it('finds losses and failed broadcasts, unless the show was called off before it was live', () => {
    const lost = { recordings: [{ name: 'program', part: 1, lost: 'Gone.' }], status: 'stopped' }
    const broadcasts = [{ ...live, part: 2, status: 'failed' }]
    expect(judge({ broadcasts }, lost)).toEqual([
      'does not say: The recording program is lost.',
      'does not say: The broadcast stage (part 2) failed.',
    ])
    expect(judge({ broadcasts, liveAt: undefined, stopAskedAt: 'now' }, lost)).toEqual([])
  })
})
