import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { broadcastOrder } from '../../../../../lib/show/document/broadcast.ts'
import type { ShowDocument } from '../../../../../lib/show/document/show.ts'
import { startBroadcastPart, startRecordingPart } from '../../../../../lib/show/run/start/start-parts.ts'
import { openShow } from '../../../../lambdas/run.ts'
import { isCall, losingAnswers, refusing } from '../../../../support/world/interceptors.ts'
import { openWorld, START_TIME, type World } from '../../../../support/world.ts'

const document = {
  version: 1,
  name: 'Everything',
  duration: 7_200,
  recordings: [
    {
      name: 'program',
      resolution: '1920x1080',
      layout: { type: 'bestFit', screenshareType: 'pip' },
      streamMode: 'manual',
      hasAudio: false,
    },
    { name: 'speakers', outputMode: 'individual' },
  ],
  broadcasts: [
    {
      name: 'live',
      hls: { dvr: true },
      rtmp: [
        { id: 'main', serverUrl: 'rtmps://live.example.com/app', streamName: { secret: 'rtmp#main' } },
        { id: 'backup', serverUrl: 'rtmp://backup.invalid/app', streamName: { secret: 'rtmp#backup' } },
      ],
      resolution: '1280x720',
      layout: { type: 'horizontalPresentation' },
      streamMode: 'manual',
    },
    { name: 'plain', hls: {}, maxDuration: 7_300 },
  ],
} satisfies ShowDocument

let world: World
let show: Awaited<ReturnType<typeof openShow>>
let sent: Record<string, unknown>[]
beforeEach(async () => {
  world = openWorld()
  world.keepShowSecret('rtmp', { main: 'stream-key-1', backup: 'stream-key-2' })
  show = await openShow(world, document)
  await world.platform.join(show.sessionId)
  sent = []
  world.interceptors.platform = async (request, pass) => {
    if (request.method === 'POST')
      sent.push(
        (await request
          .clone()
          .json()
          .catch(() => ({}))) as Record<string, unknown>,
      )
    return pass()
  }
})
afterEach(() => world.close())

const partOf = (name: string, part = 1) => ({ showId: show.showId, sessionId: show.sessionId, name, part })
const record = (name: string, part?: number) => startRecordingPart(world.services, partOf(name, part))
const broadcast = (name: string, part?: number) => startBroadcastPart(world.services, partOf(name, part))
const list = async (what: 'listArchives' | 'listBroadcasts') =>
  (await world.platform.call(what, { sessionId: show.sessionId })).body.items
const ask = (change: object) => world.services.shows.update('a-show', (state) => ({ ...state, ...change }))
const isStart = isCall('POST', /\/(archive|broadcast)$/)
const stopped = { name: 'ShowStoppedError', message: 'The show was stopped meanwhile.' }

describe('startRecordingPart', () => {
  it('starts a recording with all options of the show', async () => {
    await record('program')
    expect(sent).toEqual([
      {
        sessionId: show.sessionId,
        name: 'a-show/program/1',
        multiArchiveTag: 'a-show/program/1',
        outputMode: 'composed',
        resolution: '1920x1080',
        layout: { type: 'bestFit', screenshareType: 'pip' },
        streamMode: 'manual',
        hasAudio: false,
        hasVideo: true,
      },
    ])
  })

  it('leaves out what an individual archive cannot have', async () => {
    await record('speakers')
    expect(sent[0]).not.toHaveProperty('resolution')
    expect(sent[0]).not.toHaveProperty('layout')
    expect(await list('listArchives')).toMatchObject([{ outputMode: 'individual' }])
  })

  it('starts each part with its own tag', async () => {
    const [first, second] = [await record('program'), await record('program', 2)]
    expect(first).toMatchObject({ part: 1, tag: 'a-show/program/1', createdAt: START_TIME, status: 'started' })
    expect(second).toMatchObject({ part: 2, tag: 'a-show/program/2' })
    expect(second.archiveId).not.toBe(first.archiveId)
    expect(await record('program', 2)).toEqual(second)
  })

  it('begins a further part with the layout that was asked for while the one before it ran', async () => {
    const layout = { type: 'pip' }
    await ask({ recordings: [{ name: 'program', part: 1, tag: 'a-show/program/1', layout }] })
    await record('program', 2)
    await record('program', 1)
    expect(sent).toMatchObject([{ layout }, { layout: { type: 'bestFit', screenshareType: 'pip' } }])
  })

  it.each([{ stopAskedAt: START_TIME }, { endedAt: START_TIME }])(
    'starts nothing in a show with %j',
    async (change) => {
      await ask(change)
      await expect(record('program')).rejects.toMatchObject(stopped)
      expect(sent).toEqual([])
    },
  )

  it('stops the new resource when the show was stopped meanwhile', async () => {
    world.interceptors.platform = async (request, pass) => {
      if (isStart(request)) await ask({ stopAskedAt: START_TIME })
      return pass()
    }
    await expect(record('program')).rejects.toMatchObject(stopped)
    expect(await list('listArchives')).toMatchObject([{ reason: 'user initiated' }])
  })

  it('stops what an earlier attempt has started before the show was stopped', async () => {
    await record('program')
    await ask({ stopAskedAt: START_TIME })
    await expect(record('program')).rejects.toMatchObject(stopped)
    await expect(record('program')).rejects.toMatchObject(stopped)
    expect(await list('listArchives')).toMatchObject([{ reason: 'user initiated' }])
  })

  it('is repeated when what it has started cannot be stopped', async () => {
    await record('program')
    await ask({ stopAskedAt: START_TIME })
    world.interceptors.platform = refusing(isCall('POST', /\/stop$/), 503)
    await expect(record('program')).rejects.toMatchObject({ name: 'PlatformUnavailableError' })
  })

  it('names a recording that the show does not order', async () => {
    await expect(record('other')).rejects.toMatchObject({
      name: 'TaskInputError',
      message: 'The show a-show orders no recording other.',
    })
  })
})

describe('startBroadcastPart', () => {
  it('starts a broadcast with all options of the show, and its stream keys', async () => {
    await broadcast('live')
    expect(sent).toEqual([
      {
        sessionId: show.sessionId,
        multiBroadcastTag: 'a-show/live/1',
        maxDuration: 36_000,
        outputs: {
          hls: { dvr: true, lowLatency: false },
          rtmp: [
            { id: 'main', serverUrl: 'rtmps://live.example.com/app', streamName: 'stream-key-1' },
            { id: 'backup', serverUrl: 'rtmp://backup.invalid/app', streamName: 'stream-key-2' },
          ],
        },
        resolution: '1280x720',
        layout: { type: 'horizontalPresentation' },
        streamMode: 'manual',
      },
    ])
  })

  it('returns the outputs by their ids, without server and stream key', async () => {
    const started = await broadcast('live')
    expect(started).toEqual({
      ...{ name: 'live', part: 1, tag: 'a-show/live/1', createdAt: START_TIME, status: 'started' },
      broadcastId: expect.any(String),
      hls: expect.stringMatching(/index\.m3u8\?DVR$/),
      hlsStatus: 'connecting',
      rtmp: [
        { id: 'main', status: 'connecting' },
        { id: 'backup', status: 'connecting' },
      ],
    })
    await world.clock.advance(2_000)
    expect((await broadcast('live')).rtmp).toEqual([
      { id: 'main', status: expect.any(String) },
      { id: 'backup', status: 'offline' },
    ])
  })

  it('uses the maximum duration of the show', async () => {
    await broadcast('plain')
    expect(sent).toMatchObject([{ maxDuration: 7_300, outputs: { hls: {} } }])
    expect(sent[0]?.outputs).not.toHaveProperty('rtmp')
  })

  it('lets it run for as long as the platform does, so that extending the show never ends it', async () => {
    await ask({ plannedEndAt: '2026-11-20T09:30:00.000Z' })
    await broadcast('live')
    expect(sent).toMatchObject([{ maxDuration: 36_000 }])
  })

  it('begins a further part with the layout that was asked for while the one before it ran', async () => {
    const layout = { type: 'pip' }
    await ask({ broadcasts: [{ name: 'live', part: 1, tag: 'a-show/live/1', layout }] })
    await broadcast('live', 2)
    expect(sent).toMatchObject([{ layout }])
    await broadcast('plain', 2)
    expect(sent[1]).not.toHaveProperty('layout')
  })

  it('reads no secret of a broadcast that runs already', async () => {
    const first = await broadcast('live')
    world.interceptors.aws = async (request, pass) =>
      request.headers.get('x-amz-target')?.startsWith('secretsmanager')
        ? Response.json({ __type: 'ResourceNotFoundException' }, { status: 400 })
        : pass()
    expect((await broadcast('live')).broadcastId).toBe(first.broadcastId)
    await expect(broadcast('live', 2)).rejects.toMatchObject({
      name: 'TaskConfigError',
      message: expect.stringContaining('The secret rtmp#main cannot be sent to rtmps://live.example.com'),
    })
  })

  it('starts an order that was added while the show runs', async () => {
    const order = broadcastOrder.parse({ name: 'more', hls: {}, resolution: '1920x1080' })
    await ask({ broadcasts: [{ name: 'more', part: 1, tag: 'a-show/more/1', order }] })
    expect(await broadcast('more')).toMatchObject({ tag: 'a-show/more/1', status: 'started' })
    expect(sent).toMatchObject([{ resolution: '1920x1080' }])
  })

  it('starts nothing when the show is over, and stops what it started meanwhile', async () => {
    world.interceptors.platform = async (request, pass) => {
      if (isStart(request)) await ask({ endedAt: START_TIME })
      return losingAnswers(isStart)(request, pass)
    }
    await expect(broadcast('live')).rejects.toMatchObject(stopped)
    expect(await list('listBroadcasts')).toEqual([])
    await expect(broadcast('plain')).rejects.toMatchObject(stopped)
    expect(world.calls.filter((call) => call === 'POST /broadcast')).toHaveLength(1)
  })

  it('names a broadcast that the show does not order', async () => {
    await expect(broadcast('other')).rejects.toMatchObject({ message: 'The show a-show orders no broadcast other.' })
  })
})
