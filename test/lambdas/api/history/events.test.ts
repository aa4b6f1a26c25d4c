import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { handler } from '../../../../lambdas/api/api.ts'
import { writeClip } from '../../../../lib/records/clip-records.ts'
import { joinedId } from '../../../../lib/show/document/fields/names.ts'
import { invoke, openWorld, type World } from '../../../support/world.ts'
import { bringLive, call } from '../call.ts'
import { publishOf } from './published-show.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const list = (query?: Record<string, string>) => call(world, 'GET /shows/a-show/events', { ...(query && { query }) })
const namesOf = (items: readonly { event: string }[]) => items.map(({ event }) => event)
const note = (what: 'session.opened' | 'show.ended' | 'control.signal') => world.services.shows.note('a-show', { what })

/** Requests the stream as a browser's EventSource does. */
async function stream(lastEventId?: string) {
  const event = {
    version: '2.0',
    rawPath: '/shows/a-show/events',
    headers: { accept: 'text/event-stream', ...(lastEventId && { 'last-event-id': lastEventId }) },
    pathParameters: { id: 'a-show' },
    requestContext: {
      http: { method: 'GET', path: '/shows/a-show/events' },
      authorizer: { jwt: { claims: { sub: 'app', scope: 'showrunner/viewer' } } },
    },
  }
  return (await invoke(handler, world.services, event)) as { headers: Record<string, string>; body: string }
}

describe('GET /shows/{id}/events', () => {
  it('lists the events that the bus has got, with the same ids', async () => {
    await bringLive(world)
    await note('session.opened')
    await note('control.signal')
    await world.clock.advance(1_000)
    await note('show.ended')
    const { status, body } = await list()
    expect(status).toBe(200)
    expect(namesOf(body.items)).toEqual(['session.opened', 'show.ended'])
    const published = world.ownerEvents.map(({ detail }) => (detail as { id: string }).id)
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual(published)
  })

  it('lists the publications of recordings', async () => {
    const { archives } = await bringLive(world)
    await publishOf(world, archives.get('program') ?? '')
    const { body } = await list()
    expect(body.items).toMatchObject([
      { event: 'recording.published', name: 'program', status: 'ready' },
      { event: 'recording.published', name: 'program', status: 'complete', archiveId: archives.get('program') },
    ])
  })

  it('lists the publications of a recording once, although its joined recording has copied them', async () => {
    const { archives } = await bringLive(world)
    const archiveId = archives.get('program') ?? ''
    for (const id of [archiveId, joinedId(archiveId)]) await publishOf(world, id)
    const state = await world.services.records.readState('a-show')
    const [first] = state?.recordings ?? []
    await world.services.records.updateState('a-show', (latest) => ({
      ...latest,
      recordings: first ? [first, { ...first, part: 2, archiveId: 'second' }] : [],
    }))
    const { body } = await list()
    expect(body.items.map((one: { archiveId: string }) => one.archiveId)).toEqual([archiveId, archiveId])
  })

  it('lists clips of broadcasts and of lost recordings, and none that is being cut', async () => {
    await bringLive(world)
    const state = await world.services.records.readState('a-show')
    const [archiveId, broadcastId] = [state?.recordings[0]?.archiveId ?? '', state?.broadcasts[0]?.broadcastId ?? '']
    const at = new Date(world.clock.now()).toISOString()
    const part = { showId: 'a-show', broadcast: 'live', part: 1, keepDays: null }
    const clip = { version: 1, name: 'Demo', from: 1, to: 2, createdAt: at, endedAt: at } as const
    const queued = { ...part, recording: 'program', offset: 0 }
    const live = { ...part, startedAt: at, access: 'signed' as const, picture: { width: 640, height: 480 } }
    const clips = [
      { ...clip, archiveId, clipId: '0000000000000001', status: 'failed', queued } as const,
      { ...clip, archiveId, clipId: '0000000000000002', status: 'queued', queued } as const,
      { ...clip, archiveId: broadcastId, clipId: '0000000000000003', status: 'published', live } as const,
      { ...clip, archiveId: broadcastId, clipId: '0000000000000004', status: 'cutting', live } as const,
    ]
    for (const one of clips) await writeClip(world.services.storage, one, { keepDays: null })
    const { body } = await list()
    expect(body.items).toMatchObject([
      { event: 'clip.published', clipId: '0000000000000001', name: 'program', archiveId, status: 'failed' },
      { event: 'clip.published', clipId: '0000000000000003', name: 'live', status: 'published' },
    ])
  })

  it('lists with a cursor only what was recorded later, and answers 304 until then', async () => {
    await bringLive(world)
    await note('session.opened')
    const { body, headers } = await list()
    const again = await list({ after: body.cursor })
    expect(again.body).toEqual({ items: [], cursor: body.cursor })
    const unchanged = { 'if-none-match': headers.etag ?? '' }
    expect((await call(world, 'GET /shows/a-show/events', { headers: unchanged })).status).toBe(304)
    await note('show.ended')
    expect(namesOf((await list({ after: body.cursor })).body.items)).toEqual(['show.ended'])
  })

  it('answers one short stream of server-sent events, and continues after the last id', async () => {
    await bringLive(world)
    await note('session.opened')
    const first = await stream()
    expect(first.headers['content-type']).toBe('text/event-stream')
    expect(first.body).toMatch(
      /^retry: 2000\n\nid: [0-9a-z.]+\nevent: session.opened\ndata: {"id":"a-show\/session.opened/,
    )
    const [, id] = /^id: (.+)$/m.exec(first.body) ?? []
    expect((await stream(id)).body).toBe('retry: 2000\n\n')
    await note('show.ended')
    expect((await stream(id)).body).toContain('\nevent: show.ended\n')
    expect((await stream('what another server sent')).body).toContain('\nevent: session.opened\n')
  })

  it('refuses an unknown show and another cursor', async () => {
    expect((await list()).status).toBe(404)
    await bringLive(world)
    expect((await list({ after: 'a-show/show.ended' })).body.problems).toEqual([
      { path: 'after', message: 'is not a cursor of this list' },
    ])
  })
})
