import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TaskInput } from '../../../lib/tasks/tasks.ts'
import { isCall, losingAnswers, refusing } from '../../support/world/interceptors.ts'
import { openWorld, type World, webinar } from '../../support/world.ts'
import { bringLive, run } from '../run.ts'

let world: World
let show: Awaited<ReturnType<typeof bringLive>>
const secret = { secret: 'keys#one' }
const document = {
  ...webinar,
  duration: 50_000,
  recordings: [{ name: 'program' }, { name: 'chosen', streamMode: 'manual' as const }],
  broadcasts: [
    { name: 'live', hls: {}, parts: true },
    {
      ...{ name: 'sent', parts: true },
      rtmp: [{ id: 'one', serverUrl: 'rtmp://live.example.com/app', streamName: secret }],
    },
  ],
}
beforeEach(async () => {
  world = openWorld()
  world.keepShowSecret('keys', { one: 'a stream key' })
  show = await bringLive(world, document)
})
afterEach(() => world.close())

type Parts = readonly (readonly [string, number])[]
interface Due {
  readonly start?: Parts
  readonly stop?: Parts
}
const named = (parts: Parts = []) => parts.map(([name, part]) => ({ name, part }))
const dueOf = (recordings: Due = {}, broadcasts: Due = {}): TaskInput<'rollOver'>['due'] => ({
  recordings: { start: named(recordings.start), stop: named(recordings.stop) },
  broadcasts: { start: named(broadcasts.start), stop: named(broadcasts.stop) },
})
const roll = (recordings?: Due, broadcasts?: Due) =>
  run(world, 'rollOver', { showId: 'a-show', sessionId: show.sessionId, due: dueOf(recordings, broadcasts) })
const state = () => world.services.shows.state('a-show')
const placesOf = (entries: readonly { name: string; part: number }[]) =>
  entries.map(({ name, part }) => `${name} ${part}`)
const archives = async () =>
  (await world.platform.call('listArchives', { sessionId: show.sessionId })).body.items as {
    id: string
    multiArchiveTag: string
    status: string
  }[]
const broadcasts = async () =>
  (await world.platform.call('listBroadcasts', { sessionId: show.sessionId })).body.items as {
    multiBroadcastTag: string
  }[]
const happened = async () =>
  (await state()).timeline.map(({ what, name, part }) => [what, name, part].join(' ')).slice(-2)

describe('rollOver', () => {
  it('starts the next parts, adds them to the state in order, and notifies the owner', async () => {
    expect(await roll({ start: [['program', 2]] }, { start: [['live', 2]] })).toEqual({ started: 2, stopped: 0 })
    const { recordings, broadcasts: sent } = await state()
    expect(placesOf(recordings)).toEqual(['program 1', 'program 2', 'chosen 1'])
    expect(placesOf(sent)).toEqual(['live 1', 'live 2', 'sent 1'])
    expect(recordings[1]).toMatchObject({ tag: 'a-show/program/2', status: 'started', archiveId: expect.any(String) })
    expect(await happened()).toEqual(['recording.started program 2', 'broadcast.started live 2'])
    expect(world.ownerEvents.map((event) => event['detail-type']).at(-1)).toBe('recording.started')
  })

  it('ends the parts that have been taken over from, and writes down when', async () => {
    await roll({ start: [['program', 2]] })
    await world.clock.advance(12_000)
    expect(await roll({ stop: [['program', 1]] })).toEqual({ started: 0, stopped: 1 })
    expect((await state()).recordings[0]).toMatchObject({ status: 'stopped', stoppedAt: world.now() })
    expect((await state()).recordings[1]).not.toHaveProperty('stoppedAt')
  })

  it('begins no part twice however often it is repeated, and keeps the first time of an end', async () => {
    world.interceptors.platform = losingAnswers(isCall('POST', /\/archive$/))
    await roll({ start: [['program', 2]] })
    await roll({ start: [['program', 2]], stop: [['program', 1]] })
    const first = await state()
    await world.clock.advance(1_000)
    await roll({ start: [['program', 2]], stop: [['program', 1]] })
    expect((await state()).recordings[0]?.stoppedAt).toBe(first.recordings[0]?.stoppedAt)
    expect((await archives()).filter((one) => one.multiArchiveTag === 'a-show/program/2')).toHaveLength(1)
    expect((await state()).timeline).toEqual(first.timeline)
  })

  it('begins no part again that is noted, although lists lack it', async () => {
    await roll({ start: [['program', 2]] }, { start: [['live', 2]] })
    const before = await state()
    const isStart = isCall('POST', /\/(archive|broadcast)$/)
    let starts = 0
    world.interceptors.platform = async (request, pass) => {
      if (isStart(request)) starts++
      const isList = isCall('GET', /\/(archive|broadcast)$/)(request)
      return isList ? Response.json({ count: 0, items: [] }) : pass()
    }
    await roll({ start: [['program', 2]] }, { start: [['live', 2]] })
    expect(starts).toBe(0)
    expect(await state()).toEqual(before)
  })

  it('stops a part that sends to a server before the next one begins, and tries again when that fails', async () => {
    const order: string[] = []
    world.interceptors.platform = async (request, pass) => {
      if (request.method === 'POST') order.push(new URL(request.url).pathname.endsWith('/stop') ? 'stop' : 'start')
      return pass()
    }
    expect(await roll({}, { start: [['sent', 2]], stop: [['sent', 1]] })).toEqual({ started: 1, stopped: 0 })
    expect(order).toEqual(['stop', 'start'])
    expect((await state()).broadcasts.map(({ status }) => status)).toEqual(['started', 'stopped', 'started'])
    world.interceptors.platform = refusing(isCall('POST', /\/broadcast$/), 500)
    await expect(roll({}, { start: [['sent', 3]], stop: [['sent', 2]] })).rejects.toMatchObject({
      name: 'PlatformUnavailableError',
    })
    world.interceptors.platform = (_request, pass) => pass()
    await roll({}, { start: [['sent', 3]], stop: [['sent', 2]] })
    expect((await broadcasts()).map((one) => one.multiBroadcastTag).sort()).toEqual(['a-show/live/1', 'a-show/sent/3'])
  })

  it('does everything else before it fails for a repetition', async () => {
    const isOther = async (request: Request) => (await request.clone().text()).includes('program/2')
    world.interceptors.platform = async (request, pass) =>
      isCall('POST', /\/archive$/)(request) && (await isOther(request))
        ? Response.json({ code: 503, message: 'As arranged' }, { status: 503 })
        : pass()
    const due = { start: [['program', 2] as const, ['chosen', 2] as const] }
    await expect(roll(due)).rejects.toMatchObject({ name: 'PlatformUnavailableError' })
    expect(placesOf((await state()).recordings)).toEqual(['program 1', 'chosen 1', 'chosen 2'])
    world.interceptors.platform = (_request, pass) => pass()
    expect(await roll(due)).toEqual({ started: 2, stopped: 0 })
  })

  it('notes a permanent failure, and leaves the retry to the next poll', async () => {
    world.interceptors.platform = refusing(isCall('POST', /\/archive$/), 400)
    expect(await roll({ start: [['program', 2]] })).toEqual({ started: 0, stopped: 0 })
    expect((await state()).timeline.at(-1)).toMatchObject({
      ...{ what: 'recording.failed', name: 'program', part: 2, id: 'start' },
      detail: expect.stringMatching(/As arranged/),
    })
    expect(placesOf((await state()).recordings)).toEqual(['program 1', 'chosen 1'])
  })

  it('does not count an empty session as a failure', async () => {
    world.interceptors.platform = refusing(isCall('POST', /\/archive$/), 404)
    const before = await state()
    expect(await roll({ start: [['program', 2]] })).toEqual({ started: 0, stopped: 0 })
    expect(await state()).toEqual(before)
  })

  it('begins nothing in a show that is being stopped', async () => {
    await world.services.shows.update('a-show', (latest) => ({ ...latest, stopAskedAt: world.now() }))
    expect(await roll({ start: [['program', 2]] }, { start: [['live', 2]] })).toEqual({ started: 0, stopped: 0 })
    expect(await archives()).toHaveLength(2)
  })

  it('continues with the selected streams and the requested layout', async () => {
    const { streamId } = await world.platform.join(show.sessionId)
    const archiveId = (await state()).recordings[1]?.archiveId
    await world.platform.call('changeArchiveStreams', { archiveId, addStream: streamId, hasVideo: false })
    const layout = { type: 'pip' as const }
    await world.services.shows.update('a-show', (latest) => ({
      ...latest,
      recordings: latest.recordings.map((one) => (one.name === 'chosen' ? { ...one, layout } : one)),
    }))
    await roll({ start: [['chosen', 2]] })
    const next = (await state()).recordings[2]
    expect(next?.layout).toEqual(layout)
    expect((await world.platform.call('getArchive', { archiveId: next?.archiveId })).body.streams).toEqual([
      { streamId, hasAudio: true, hasVideo: false },
    ])
  })

  it('sets the layout that was requested while a part was being started', async () => {
    const layout = { type: 'pip' as const }
    const sent: Record<string, unknown> = {}
    world.interceptors.platform = async (request, pass) => {
      const { pathname } = new URL(request.url)
      if (pathname.endsWith('/layout')) sent[pathname.split('/').at(-2) ?? ''] = await request.clone().json()
      const response = await pass()
      if (isCall('POST', /\/(archive|broadcast)$/)(request))
        await world.services.shows.update('a-show', (latest) => ({
          ...latest,
          recordings: latest.recordings.map((one) => (one.name === 'program' ? { ...one, layout } : one)),
          broadcasts: latest.broadcasts.map((one) => (one.name === 'live' ? { ...one, layout } : one)),
        }))
      return response
    }
    await roll({ start: [['program', 2]] }, { start: [['live', 2]] })
    const { recordings, broadcasts } = await state()
    expect([recordings[1]?.layout, broadcasts[1]?.layout]).toEqual([layout, layout])
    expect(sent).toEqual({
      [recordings[1]?.archiveId ?? '']: layout,
      [broadcasts[1]?.broadcastId ?? '']: layout,
    })
  })

  it('writes down when a part was stopped although the answer was lost', async () => {
    await roll({ start: [['program', 2]] })
    world.interceptors.platform = losingAnswers(isCall('POST', /\/stop$/))
    await roll({ stop: [['program', 1]] })
    expect((await state()).recordings[0]).toMatchObject({ reason: 'user initiated', stoppedAt: world.now() })
  })

  it('accepts that a part has ended meanwhile', async () => {
    await roll({ start: [['program', 2]] })
    await world.platform.call('stopArchive', { archiveId: (await state()).recordings[0]?.archiveId })
    expect(await roll({ stop: [['program', 1]] })).toEqual({ started: 0, stopped: 1 })
  })
})
