import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { measureTask } from '../../../../lambdas/middleware/measures.ts'
import { openWorld, type World, webinar } from '../../../support/world.ts'
import { openShow, run } from '../../run.ts'

const reason = 'No participant connected within 900 s.'
let world: World
let sessionId: string
beforeEach(async () => {
  world = openWorld()
  ;({ sessionId } = await openShow(world, { ...webinar, broadcasts: [{ name: 'live', hls: {} }] }))
  await change({ unattended: true, endReason: reason })
})
afterEach(() => world.close())

const change = (changes: object) => world.services.shows.update('a-show', (latest) => ({ ...latest, ...changes }))
const report = (end: string | null = null) =>
  run(world, 'reportShow', { showId: 'a-show', sessionId, reason: end, failure: null })
const result = () => world.services.records.readResult('a-show')

describe('reportShow of a show that no participant attended', () => {
  it('reports it as cancelled, and nothing as lost', async () => {
    expect(await report()).toEqual({ showId: 'a-show', status: 'cancelled', reason })
    const names = world.ownerEvents.map((event) => event['detail-type'])
    expect([names.includes('recording.failed'), names.at(-1)]).toEqual([false, 'show.ended'])
    const counted = await measureTask('reportShow', await result(), world.services)
    expect(counted).toMatchObject({ showsFailed: 0, showsCancelled: 1, recordingsLost: 0 })
  })

  it('reports it as cancelled also after its execution was interrupted', async () => {
    await change({ closings: 1 })
    expect(await report('Its execution was interrupted.')).toMatchObject({ status: 'cancelled', reason })
  })

  it('reports it as stopped if a stop was requested', async () => {
    await change({ stopAskedAt: world.now() })
    expect(await report()).toMatchObject({ status: 'stopped' })
  })
})
