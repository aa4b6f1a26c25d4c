import { describe, expect, it } from 'vitest'
import { webinar } from '../../../support/world.ts'
import { run } from '../../run.ts'
import { openReporting, PLANNED_END } from './reported-show.ts'

describe('reportShow of lost recordings', () => {
  it('names each recording that is lost, and why', async () => {
    const { world, report, result, eventsOf, openLiveShow } = openReporting()
    const { sessionId, stopAsPlanned } = await openLiveShow()
    await world.aimUploads('elsewhere')
    await stopAsPlanned()
    await world.clock.advance(60_000) // the platform's own attempts
    const why = 'Its upload failed; the platform keeps the file for 72 hours.'
    expect(await report({ sessionId })).toMatchObject({
      status: 'failed',
      reason: `${PLANNED_END} The recording program is lost. ${why} The recording speakers is lost. ${why}`,
    })
    expect((await result())?.recordings).toMatchObject([{ lost: why }, { lost: why }])
    const losses = ['program', 'speakers'].map((name) => ({ name, reason: why }))
    expect(eventsOf('recording.failed')).toMatchObject(losses)
  })

  it('names the lost part of a recording that continued', async () => {
    const { world, report, openLiveShow } = openReporting()
    const { sessionId, stopAsPlanned, recordings } = await openLiveShow()
    const due = { recordings: { start: [{ name: 'program', part: 2 }], stop: [] }, broadcasts: { start: [], stop: [] } }
    await run(world, 'rollOver', { showId: 'a-show', sessionId, due })
    await stopAsPlanned()
    const stored = (await world.services.storage.list('', { limit: 1_000 })).keys
    await world.services.storage.delete(stored.find((key) => key.includes(recordings[0]?.archiveId ?? '')) ?? '')
    expect((await report({ sessionId })).reason).toMatch(
      /Part 1 of the recording program is lost\. The platform .+ project; the recording continued in part 2\.$/,
    )
  })

  it('names an upload that arrived in another bucket', async () => {
    const { world, report, openLiveShow } = openReporting()
    const { sessionId, stopAsPlanned } = await openLiveShow()
    world.createBucket('elsewhere')
    await world.aimUploads('elsewhere')
    await stopAsPlanned()
    expect((await report({ sessionId })).reason).toMatch('The platform uploaded it, but not to this bucket')
  })

  it('names an archive that had not arrived when waiting ended', async () => {
    const { report, openLiveShow } = openReporting()
    const { sessionId } = await openLiveShow()
    expect((await report({ sessionId })).reason).toMatch(
      'It had not arrived when waiting ended; its status is started.',
    )
  })

  it('names five of many losses individually, so that its answer stays small', async () => {
    const { world, report } = openReporting()
    const recordings = Array.from({ length: 50 }, (_, index) => ({ name: `take-${index}` }))
    await world.accept({ ...webinar, recordings })
    const { reason } = await report({ sessionId: null, reason: 'No participant connected.' })
    expect(reason).toMatch(
      /^No participant connected\. The recording take-0 is lost\. .* 45 more recordings are lost\.$/,
    )
    expect(reason.match(/The recording take-\d+ is lost/g)).toHaveLength(5)
  })
})
