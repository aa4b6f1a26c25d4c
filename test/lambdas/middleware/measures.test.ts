import { afterEach, beforeEach, expect, it } from 'vitest'
import { measureTask } from '../../../lambdas/middleware/measures.ts'
import { openWorld, type World } from '../../support/world.ts'

const result = (times: { plannedEndAt: string; endedAt: string }) => ({
  status: 'succeeded',
  recordings: [],
  timeline: [{ at: '2030-01-01T11:01:00Z', what: 'recording.arrived' }],
  ...times,
})

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

it.each([
  ['its planned end', { plannedEndAt: '2030-01-01T11:00:00Z', endedAt: '2030-01-01T11:00:05Z' }, 60],
  ['its end before the planned one', { plannedEndAt: '2030-01-01T14:00:00Z', endedAt: '2030-01-01T11:00:50Z' }, 10],
])('measureTask counts the seconds until the upload of a show from %s', async (_, times, seconds) => {
  expect(await measureTask('reportShow', result(times), world.services)).toMatchObject({ secondsToUploaded: seconds })
})

it('measureTask counts a damaged recording, also when its show cannot be read', async () => {
  const records = { readState: () => Promise.reject(new Error('SlowDown')) }
  const manifest = { status: 'complete', show: { showId: 'b40ef09b' }, missing: [{ format: 'audio' }] }
  expect(await measureTask('writeManifest', manifest, { ...world.services, records } as never)).toEqual({
    publishesFailed: 0,
    publishesIncomplete: 1,
  })
})
