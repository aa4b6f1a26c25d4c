import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import { archiveStatuses } from '../../../../lib/platform/contract/archives.ts'
import { isLegal } from '../../../../lib/platform/contract/lifecycles.ts'
import { createStore } from '../../../../local/sandbox/state/store.ts'
import { createTransitions } from '../../../../local/sandbox/state/transitions.ts'

function openTransitions() {
  const clock = createSteppedClock(1_000)
  const store = createStore()
  const { archives } = createTransitions(store, clock)
  const begin = () =>
    archives.begin({
      id: 'a',
      projectId: 'p',
      sessionId: 's',
      createdAt: clock.now(),
      reason: '',
      hasAudio: true,
      hasVideo: true,
      resolution: '640x480',
      layout: { type: 'bestFit' },
      recordedMs: 0,
    })
  return { clock, store, archives, begin }
}

describe('createTransitions', () => {
  it('stamps every change with its time', async () => {
    const { clock, archives, begin } = openTransitions()
    expect(begin()).toMatchObject({ status: 'started', updatedAt: 1_000 })
    await clock.advance(500)
    expect(archives.move('a', 'paused', { recordedMs: 500 })).toMatchObject({
      status: 'paused',
      updatedAt: 1_500,
      recordedMs: 500,
    })
  })

  it('sets updatedAt of a new record to its createdAt', async () => {
    const { clock, archives, begin } = openTransitions()
    const described = { ...begin(), id: 'b' }
    await clock.advance(1)
    expect(archives.begin(described)).toMatchObject({ createdAt: 1_000, updatedAt: 1_000 })
  })

  it('distinguishes status changes from amendments', async () => {
    const { clock, archives, begin } = openTransitions()
    const moved: string[] = []
    const amended: unknown[] = []
    archives.listen(({ status }) => moved.push(status))
    archives.onAmended(({ layout, updatedAt }) => amended.push({ layout, updatedAt }))
    begin()
    await clock.advance(500)
    archives.amend('a', { layout: { type: 'pip' } })
    archives.move('a', 'stopped')
    expect(moved).toEqual(['started', 'stopped'])
    expect(amended).toEqual([{ layout: { type: 'pip' }, updatedAt: 1_500 }])
  })

  it.each(archiveStatuses)('moves a stopped archive to %s only if the contract has that change', (to) => {
    const { store, archives, begin } = openTransitions()
    begin()
    archives.move('a', 'stopped')
    const move = () => archives.move('a', to)
    if (isLegal('archive', 'stopped', to)) expect(move().status).toBe(to)
    else expect(move).toThrow(`The archive a cannot change from stopped to ${to}.`)
    expect(store.archives.get('a')?.status).toBe(isLegal('archive', 'stopped', to) ? to : 'stopped')
  })
})
