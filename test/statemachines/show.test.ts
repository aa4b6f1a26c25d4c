import { describe, expect, it } from 'vitest'
import { INTERRUPTED } from '../../lib/show/plan/show-outcome.ts'
import { openMachine } from './open-machine.ts'

const accepted = { showId: 'a-show', sessionId: null, scenes: [], dialIns: [], recordings: ['program'], broadcasts: [] }

describe('the show machine', () => {
  const ending = {
    stopShow: () => ({ stopped: 0 }),
    checkUploads: () => ({ over: true, arrived: 0, awaited: 0, waitSeconds: 0, stranded: [] }),
    reportShow: () => ({ status: 'succeeded', reason: 'It ended.' }),
  }

  it('waits for its start, with the same request each time', async () => {
    const { execute, timesOf, calls } = openMachine('show')
    const waits = [2, 5, 0]
    const { status } = await execute(
      { showId: 'a-show' },
      {
        ...ending,
        acceptShow: () => ({ ...accepted, closing: false, waitSeconds: waits[timesOf('acceptShow').length - 1] }),
      },
    )
    expect(status).toBe('SUCCEEDED')
    expect(timesOf('acceptShow')).toEqual([0, 2, 7])
    expect(timesOf('openSession')).toEqual([7])
    const requests = calls.filter(({ task }) => task === 'acceptShow').map(({ given }) => given.request)
    expect(requests).toEqual(Array(3).fill({ showId: 'a-show' }))
  })

  it('begins nothing where it only closes a show', async () => {
    const { execute, calls } = openMachine('show')
    await execute(
      { showId: 'a-show', closing: true },
      { ...ending, acceptShow: () => ({ ...accepted, closing: true, waitSeconds: 0 }) },
    )
    expect(calls.map(({ task }) => task)).toEqual(['acceptShow', 'stopShow', 'checkUploads', 'reportShow'])
    expect(calls[1]?.given).toMatchObject({ reason: INTERRUPTED })
  })

  it('checks again after every rescue, until nothing more can be rescued', async () => {
    const { execute, timesOf, addRescue } = openMachine('show')
    const stranded = [{ name: 'program', part: 1, archiveId: 'kept' }]
    const looks = [
      { over: true, stranded },
      { over: false, stranded: [], waitSeconds: 60 },
      { over: true, stranded },
      { over: true, stranded: [] },
    ]
    const rescues = addRescue()
    await execute(
      { showId: 'a-show', closing: true },
      {
        ...ending,
        acceptShow: () => ({ ...accepted, closing: true, waitSeconds: 0 }),
        checkUploads: () => ({
          ...{ arrived: 0, awaited: 0, waitSeconds: 0 },
          ...looks[timesOf('checkUploads').length - 1],
        }),
      },
    )
    expect(timesOf('checkUploads')).toEqual([0, 0, 60, 60])
    expect(rescues()).toMatchObject(Array(2).fill({ showId: 'a-show', stranded }))
    expect(timesOf('reportShow')).toEqual([60])
  })
})
