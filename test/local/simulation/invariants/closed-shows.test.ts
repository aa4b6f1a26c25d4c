import { describe, expect, it } from 'vitest'
import { closedShows } from '../../../../local/simulation/invariants/closed-shows.ts'
import { showWith } from './made-up-evidence.ts'

const execution = (name: string, more: object = {}) => ({
  ...{ machine: 'show', name, status: 'SUCCEEDED', history: [] },
  ...{ startDate: new Date(0), stopDate: new Date(60_000), ...more },
})
const judge = (show: Parameters<typeof showWith>[0], ...executions: object[]) =>
  closedShows({ shows: [showWith(show)], executions: executions as never })
const entered = (...names: string[]) => names.map((name) => ({ stateEnteredEventDetails: { name } }))

describe('closedShows', () => {
  it('finds a closing that is counted and had no execution', () => {
    const state = { closings: 2 }
    expect(judge({ state }, execution('a-show-close-1'))).toEqual([
      'the show a-show was closed without the execution a-show-close-2',
    ])
    const second = (at: number) => execution('a-show-close-2', { startDate: new Date(at), stopDate: new Date(at) })
    expect(judge({ state }, execution('a-show-close-1'), second(360_000))).toEqual([])
    expect(judge({ state }, execution('a-show-close-1'), second(359_000))).toEqual([
      'the show a-show was closed 299 s after the execution before, and not 300 s',
    ])
  })

  it('finds a failed show whose execution has succeeded', () => {
    const failed = { result: { status: 'failed', reportedAt: new Date(30_000).toISOString() } }
    expect(judge(failed, execution('a-show'))).toEqual(['the show a-show failed, and its execution has succeeded'])
    expect(judge(failed, execution('a-show', { status: 'FAILED' }))).toEqual([])
    expect(judge(failed, execution('a-show', { stopDate: new Date(20_000) }))).toEqual([])
    expect(judge({}, execution('a-show'))).toEqual([])
  })

  it('finds a show that is refused after it was accepted', () => {
    const history = entered('Accept show', 'Open session', 'Show refused')
    expect(judge({}, execution('a-show', { history }))).toEqual([
      'the show a-show was refused after it had been accepted',
    ])
    expect(judge({}, execution('a-show', { history: entered('Accept show', 'Show refused') }))).toEqual([])
  })
})
