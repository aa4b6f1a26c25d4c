import { describe, expect, it } from 'vitest'
import { type Given, openMachine } from './open-machine.ts'

const MINUTE = 60_000
const input = { showId: 'a-show', sessionId: 'a-session' }

describe('the watch machine', () => {
  /** Opens the machine. `look` returns an observation of a running show whose next poll is a minute later. */
  function open() {
    const machine = openMachine('watch')
    const look = (seen: Given = {}) => ({
      ...{ over: false, stranded: [], due: null, nextPollAt: new Date(machine.clock.now() + MINUTE).toISOString() },
      ...seen,
    })
    return { ...machine, look }
  }

  it('ends with the show', async () => {
    const { execute, timesOf, look } = open()
    const watchShow = () => look({ over: timesOf('watchShow').length === 3 })
    expect(await execute(input, { watchShow })).toMatchObject({ status: 'SUCCEEDED' })
    expect(timesOf('watchShow')).toEqual([0, 60, 120])
  })

  it('ends after little more than an hour while the show continues, so that the next child watches it', async () => {
    const { execute, timesOf, look } = open()
    expect(await execute(input, { watchShow: () => look() })).toMatchObject({ status: 'SUCCEEDED' })
    expect(timesOf('watchShow').at(-1)).toBe(3960)
  })

  it('rolls over a part that is due, also after a failure, and continues to watch', async () => {
    const { execute, timesOf, look, calls } = open()
    const due = { recordings: ['program'] }
    const watchShow = () => {
      const looks = timesOf('watchShow').length
      return look({ over: looks === 4, due: looks < 3 ? due : null })
    }
    const rollOver = () => {
      if (timesOf('rollOver').length === 1) throw Object.assign(new Error('It is refused.'), { name: 'PlatformError' })
      return {}
    }
    expect(await execute(input, { watchShow, rollOver })).toMatchObject({ status: 'SUCCEEDED' })
    expect(timesOf('rollOver')).toEqual([0, 60])
    expect(calls.find(({ task }) => task === 'rollOver')?.given).toMatchObject({ ...input, due })
    expect(timesOf('watchShow')).toEqual([0, 60, 120, 180])
  })

  it('starts a rescue of stranded archives beside it', async () => {
    const { execute, timesOf, look, addRescue } = open()
    const stranded = [{ name: 'program', part: 1, archiveId: 'kept' }]
    const rescues = addRescue()
    const watchShow = () => {
      const looks = timesOf('watchShow').length
      return look({ over: looks === 2, stranded: looks === 1 ? stranded : [] })
    }
    expect(await execute(input, { watchShow })).toMatchObject({ status: 'SUCCEEDED' })
    expect(rescues()).toMatchObject([{ showId: 'a-show', stranded }])
  })
})
