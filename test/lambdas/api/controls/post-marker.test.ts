import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MAX_MARKERS } from '../../../../lib/api/controls.ts'
import { openWorld, type World } from '../../../support/world.ts'
import { bringLive, bringWaiting, call, stateOf } from '../call.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const document = { version: 1 as const, name: 'Talk', duration: 3_600, recordings: [{ name: 'program' }] }
const mark = (body: unknown, key?: string) =>
  call(world, 'POST /shows/a-show/markers', { body, ...(key !== undefined && { key }) })
const marked = async () => {
  const { liveAt = '', markers = [] } = await stateOf(world)
  return markers.map(({ at, title }) => [(Date.parse(at) - Date.parse(liveAt)) / 1000, title])
}

describe('POST /shows/{id}/markers', () => {
  it('marks the present, seconds of live time, or a time', async () => {
    await bringLive(world, document)
    await world.clock.advance(90_000)
    expect(await mark({ label: 'Questions' })).toMatchObject({
      status: 200,
      body: { timeline: [{ what: 'control.marker', detail: 'The marker Questions is at 90 s.', by: 'app' }] },
    })
    await mark({ label: 'Talk', at: 12.5 })
    const { liveAt = '' } = await stateOf(world)
    await mark({ label: 'Welcome', at: new Date(Date.parse(liveAt) + 1_000).toISOString().replace('Z', '+00:00') })
    expect(await marked()).toEqual([
      [90, 'Questions'],
      [12.5, 'Talk'],
      [1, 'Welcome'],
    ])
    expect((await call(world, 'GET /shows/a-show')).body.markers).toHaveLength(3)
  })

  it('is set once under one key', async () => {
    await bringLive(world, document)
    const first = await mark({ label: 'Talk' }, 'one')
    await world.clock.advance(5_000)
    expect((await mark({ label: 'Talk' }, 'one')).body).toEqual(first.body)
    expect(await marked()).toEqual([[0, 'Talk']])
    expect((await mark({ label: 'Other' }, 'one')).body.code).toBe('idempotency-key-reused')
  })

  it('refuses a time outside the show, a blank label, and a show that is not live', async () => {
    await bringWaiting(world, document)
    expect((await mark({ label: 'Talk' })).body.code).toBe('wrong-show-state')
    await world.close()
    world = openWorld()
    await bringLive(world, document)
    for (const at of [3_600, '2026-01-01T00:00:00Z'])
      expect(await mark({ label: 'Talk', at })).toMatchObject({
        status: 409,
        body: { code: 'change-refused', problems: [{ path: 'at', message: expect.stringMatching(/^must/) }] },
      })
    for (const body of [{ label: ' ' }, {}, { label: 'Talk', at: -1 }, { label: 'Talk', at: 'soon' }])
      expect((await mark(body)).body.code).toBe('invalid-body')
    expect((await stateOf(world)).controls).toEqual([])
  })

  it('has a limit', async () => {
    await bringLive(world, document)
    const at = '2026-01-01T00:00:00.000Z'
    const markers = Array.from({ length: MAX_MARKERS }, (_, index) => ({ id: `m${index}`, at, title: 'Talk' }))
    await world.services.records.updateState('a-show', (state) => ({ ...state, markers }))
    expect((await mark({ label: 'Talk' })).body.code).toBe('limit-reached')
  })
})
