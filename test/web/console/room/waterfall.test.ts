import { describe, expect, it } from 'vitest'
import type { ExecutionAnswer } from '../../../../web/console/answers.ts'
import { waterfallOf } from '../../../../web/console/room/waterfall.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 20, 20, 0, seconds)).toISOString()
const ms = (seconds: number) => Date.parse(at(seconds))
const state = (id: number, name: string, more: Partial<ExecutionAnswer['states'][number]> = {}) => ({
  ...{ id, name, type: 'Task', status: 'succeeded' as const, enteredAt: at(0), exitedAt: at(10), attempts: [] },
  ...more,
})
const execution = (...states: ExecutionAnswer['states']): ExecutionAnswer => ({
  ...{ showId: 'a-show', machine: 'show', name: 'a-show', status: 'running', startedAt: at(0) },
  ...{ closings: [], redrivable: false },
  states,
})

describe('waterfallOf', () => {
  it('draws each attempt, so that retries and the waits between them can be seen', () => {
    const attempts = [
      { startedAt: at(0), endedAt: at(1), error: 'PlatformUnavailableError' },
      { startedAt: at(5), endedAt: at(10) },
    ]
    const { rows } = waterfallOf(execution(state(1, 'Open session', { attempts })), ms(20))
    expect(rows[0]?.bars).toEqual([
      { from: ms(0), to: ms(1), tone: 'bad' },
      { from: ms(5), to: ms(10), tone: 'good' },
    ])
    expect(rows[0]?.text).toBe(
      'Open session (Task): succeeded, 10.0 s, 2 attempts, last error PlatformUnavailableError',
    )
  })

  it('indents the states of branches and items, and leaves out decisions', () => {
    const { rows } = waterfallOf(
      execution(
        state(1, 'Start all', { type: 'Map' }),
        state(2, 'Start recording', { parent: 1, iteration: 1 }),
        state(3, 'Over?', { type: 'Choice' }),
      ),
      ms(20),
    )
    expect(rows.map(({ label, depth }) => [label, depth])).toEqual([
      ['Start all', 0],
      ['Start recording 2', 1],
    ])
  })

  it('draws waits hollow, and what runs until now', () => {
    const wait = state(1, 'Await poll', { type: 'Wait', status: 'running' })
    const { exitedAt: _, ...running } = wait
    expect(waterfallOf(execution(running), ms(30))).toMatchObject({
      to: ms(30),
      rows: [{ bars: [{ from: ms(0), to: ms(30), tone: 'planned' }] }],
    })
  })
})
