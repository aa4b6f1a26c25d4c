import { describe, expect, it } from 'vitest'
import { isCall, refusing } from '../../../support/world/interceptors.ts'
import { run } from '../../run.ts'
import { openReporting, PLANNED_END } from './reported-show.ts'

describe('reportShow when the platform cannot be reached', () => {
  it('reports the last known state', async () => {
    const { world, report, result, openLiveShow } = openReporting()
    const { sessionId, stopAsPlanned } = await openLiveShow()
    await stopAsPlanned()
    await run(world, 'checkUploads', { showId: 'a-show', sessionId }) // notes that both files have arrived
    world.interceptors.platform = refusing(() => true, 403)
    expect(await report({ sessionId })).toEqual({
      ...{ showId: 'a-show', status: 'succeeded' },
      reason: `${PLANNED_END} The platform could not be reached at the end: this is the last known state.`,
    })
    const { body } = await world.platform.call('listArchives', { sessionId })
    expect((await result())?.recordings).toMatchObject(
      body.items
        .toReversed()
        .map(({ id, projectId }: { id: string; projectId: string }) => ({ key: `${projectId}/${id}/archive.mp4` })),
    )
  })

  it('reports a recording as lost whose arrival was not noted', async () => {
    const { world, report, result, openLiveShow } = openReporting()
    const { sessionId, stopAsPlanned } = await openLiveShow()
    await stopAsPlanned()
    world.interceptors.platform = refusing(() => true, 503)
    expect(await report({ sessionId })).toMatchObject({ status: 'failed' })
    const lost = 'The platform could not be reached at the end; the last known status is started.'
    expect((await result())?.recordings).toMatchObject([{ lost }, { lost }])
  })

  it('retries once before it reports the last known state', async () => {
    const { world, report, openLiveShow } = openReporting()
    const { sessionId, stopAsPlanned } = await openLiveShow()
    await stopAsPlanned()
    world.interceptors.platform = refusing(isCall('GET', /\/archive$/), 500, 3) // the client's own attempts
    expect(await report({ sessionId })).toMatchObject({ status: 'succeeded', reason: PLANNED_END })
  })
})
