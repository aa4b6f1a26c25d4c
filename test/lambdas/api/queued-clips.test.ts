import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clipExecutionName, publishExecutionName } from '../../../lib/show/document/fields/names.ts'
import { keys } from '../../../lib/show/state/keys.ts'
import type { ShowRequest } from '../../../lib/show/state/request.ts'
import { openWorld, START_TIME, type World, webinar } from '../../support/world.ts'
import { run } from '../run.ts'
import { bringLive, call, stateOf } from './call.ts'

const PATH = '/shows/a-show/clips'
/** Milliseconds for which the show has been live. */
const LIVE = 60_000
/** Second of the show at which its recording began. */
const OFFSET = -2

let world: World
let archiveId: string
let executions: { clip: { archiveId: string; clipId: string } }[]
beforeEach(async () => {
  world = openWorld()
  executions = []
  world.machines.publish = async (input) => {
    executions.push(input as never)
    return {}
  }
  world.interceptors.platform = async (request, pass) =>
    new URL(request.url).pathname.startsWith('/b/') ? new Response('', { status: 404 }) : pass()
  const { archives } = await bringLive(world, { ...webinar, duration: 3_600 })
  archiveId = archives.get('program') ?? ''
  await world.services.records.updateState('a-show', (state) => ({
    ...state,
    recordings: state.recordings.map((one) => ({ ...one, createdAt: timeAt(OFFSET) })),
    broadcasts: state.broadcasts.map((one) => ({ ...one, hls: 'http://localhost/b/index.m3u8' })),
  }))
  await world.clock.advance(LIVE)
})
afterEach(() => world.close())

const timeAt = (seconds: number) => new Date(Date.parse(START_TIME) + seconds * 1000).toISOString()
const create = (body: object) => call(world, `POST ${PATH}`, { body: { name: 'Demo', ...body } })
const read = async (clipId: string) => (await call(world, `GET ${PATH}/${clipId}`)).body
const clipEvents = () =>
  world.ownerEvents.filter(({ detail }) => (detail as { event: string }).event.startsWith('clip'))

/** Publishes the recording with a duration in seconds. */
async function publish(
  duration: number,
  { hls = true, failure = null as { Error: string; Cause: string } | null } = {},
) {
  const { services } = world
  const key = keys.archive('1', archiveId, 'composed')
  await services.storage.put(key, 'the file', 'video/mp4')
  const role = hls ? ('hls' as const) : ('poster' as const)
  return run(world, 'writeManifest', {
    ...{
      bucket: 'media',
      key,
      etag: '1ac5d5ea4fd9a0bc8aab0d7f3d7a4d46',
      executionName: 'a-publish',
      stage: 'complete',
    },
    etag: (await services.storage.etagOf(key)) ?? '',
    inspection: {
      ...{ archiveId, size: 8, formats: ['hls'], pieces: [], streams: [], ladder: [], access: 'signed' },
      facts: { duration, video: { codec: 'h264', width: 640, height: 480, frameRate: 30 }, audio: null },
      record: { status: 'uploaded', size: 8, duration, createdAt: timeAt(OFFSET) },
      ...{ show: { showId: 'a-show', name: 'program', part: 1 }, keepDays: null, differences: [] },
    },
    ...{ hashes: { sha256: 'bb', faststartSha256: 'cc' }, loudness: null, missing: [], ffmpeg: '5.1', failure },
    files: [{ role, key: keys.published(archiveId, 'playlists', 'edition', 'master.m3u8'), size: 5, sha256: 'aa' }],
  })
}

describe('a clip of a live show whose playlist cannot be read', () => {
  it('is queued, listed without links, and cut once the recording is published', async () => {
    const { status, body } = await create({ from: 20, to: 30 })
    const about = { showId: 'a-show', broadcast: 'live', name: 'Demo', from: 20, to: 30 }
    expect([status, body]).toMatchObject([202, { ...about, status: 'queued' }])
    expect([body.watch, body.hls, executions]).toEqual([undefined, undefined, []])
    expect((await call(world, `GET ${PATH}`)).body.items).toMatchObject([{ ...about, status: 'queued' }])

    await publish(60)
    await expect.poll(() => executions).toMatchObject([{ clip: { archiveId, clipId: body.clipId } }])
    const later = await read(body.clipId)
    expect(later).toMatchObject({ ...about, status: 'cutting', hls: { url: expect.stringContaining(body.clipId) } })
    const ofRecording = (await call(world, `GET /recordings/${archiveId}/clips`)).body.items
    expect(ofRecording).toMatchObject([{ clipId: body.clipId, from: 20 - OFFSET, to: 30 - OFFSET }])
    expect(clipEvents()).toEqual([])
  })

  it('is of a recording that has HLS, and not of the files of single streams', async () => {
    await world.services.records.updateState('a-show', (state) => {
      const [first] = state.recordings
      if (!first) throw new Error('The show has no recording.')
      return { ...state, recordings: [{ ...first, name: 'tracks', archiveId: 'of-tracks' }, first] }
    })
    const stored = await world.services.storage.readDocument(keys.request('a-show'))
    const request = stored?.value as ShowRequest
    const tracks = { name: 'tracks', outputMode: 'individual' }
    const show = { ...request.show, recordings: [tracks, ...request.show.recordings] }
    await world.services.storage.writeDocument(keys.request('a-show'), { ...request, show }, stored?.etag)
    const { clipId } = (await create({ from: 20, to: 30 })).body
    expect((await world.services.storage.list('recordings/', { limit: 9 })).keys).toContain(
      keys.clip(archiveId, clipId),
    )
  })

  it('is cut by the repeated request, also after the show, if the first one ended before', async () => {
    await publish(60)
    const { aws } = world.interceptors
    let isQueued = false
    world.interceptors.aws = async (request, pass) => {
      if (isQueued) throw new TypeError('fetch failed')
      isQueued = request.method === 'PUT' && request.url.includes('/clip.json')
      return pass()
    }
    const order = () => call(world, `POST ${PATH}`, { body: { name: 'Demo', from: 20, to: 30 }, key: 'the same key' })
    await order().catch(() => {})
    world.interceptors.aws = aws
    expect([isQueued, executions]).toEqual([true, []])
    await world.services.records.updateState('a-show', (state) => ({ ...state, status: 'succeeded' }))
    expect(await order()).toMatchObject({ status: 202, body: { status: 'cutting' } })
    await expect.poll(() => executions).toHaveLength(1)
    expect((await create({ from: 20, to: 30 })).status).toBe(409)
  })

  it('is deleted while it is queued', async () => {
    const { clipId } = (await create({ last: 5 })).body
    expect((await call(world, `DELETE ${PATH}/${clipId}`)).status).toBe(200)
    await publish(60)
    expect([(await call(world, `GET ${PATH}`)).body.items, executions]).toEqual([[], []])
  })

  it.each([
    ['ended before it', () => publish(10), 'The recording ended before the clip.'],
    ['has no HLS', () => publish(60, { hls: false }), 'The recording has no HLS, of which clips are cut.'],
    [
      'cannot be published',
      () => publish(60, { failure: { Error: 'MediaError', Cause: '{"errorMessage":"cut off"}' } }),
      'The recording could not be published.',
    ],
    ['is lost', () => lose(), expect.stringContaining('The recording is lost: ')],
    [
      'is lost, and only the sweep reports it',
      () => loseUnreported(),
      expect.stringContaining('The recording is lost: '),
    ],
    ['was interrupted thrice', () => interrupt({ attempt: 3 }), 'The publish of the recording failed 3 times.'],
    ['is stopped by an operator', () => interrupt({ cause: 'Stop.' }), 'The publish of the recording was stopped.'],
  ])('fails when the recording %s, and the owner is notified', async (_, end, problem) => {
    const { clipId } = (await create({ from: 20, to: 30 })).body
    await end()
    expect(await read(clipId)).toMatchObject({ status: 'failed', problem })
    expect(clipEvents().map(({ detail }) => detail)).toMatchObject([
      { event: 'clip.published', showId: 'a-show', name: 'program', clipId, status: 'failed', reason: problem },
    ])
  })

  it.each([
    ['cannot be published', () => publish(60, { failure: { Error: 'MediaError', Cause: '{}' } })],
    ['has no HLS', () => publish(60, { hls: false })],
    ['is lost', () => lose()],
  ])(
    'fails when the recording %s, and is notified by the next attempt if the first one ends before',
    async (_, end) => {
      const { clipId } = (await create({ from: 20, to: 30 })).body
      const { aws } = world.interceptors
      world.interceptors.aws = async (request, pass) =>
        request.headers.get('x-amz-target')?.endsWith('PutEvents') && (await read(clipId)).status === 'failed'
          ? new Response('{}', { status: 500 })
          : pass()
      await expect(end()).rejects.toThrow()
      world.interceptors.aws = aws
      expect([(await read(clipId)).status, clipEvents()]).toEqual(['failed', []])
      await end()
      expect(clipEvents().map(({ detail }) => detail)).toMatchObject([{ clipId, status: 'failed' }])
    },
  )

  it('waits for the next publish while its recording is published again', async () => {
    const { clipId } = (await create({ from: 20, to: 30 })).body
    await interrupt({ attempt: 2 })
    expect((await read(clipId)).status).toBe('queued')
  })

  it('fails when its own execution fails thrice', async () => {
    const { clipId } = (await create({ from: 20, to: 30 })).body
    await publish(60)
    await interrupt({ attempt: 2, clipId })
    expect((await read(clipId)).status).toBe('cutting')
    await interrupt({ attempt: 3, clipId })
    const problem = 'The publish of the clip failed 3 times.'
    expect(await read(clipId)).toMatchObject({ status: 'failed', problem })
    expect(clipEvents().map(({ detail }) => detail)).toMatchObject([{ clipId, status: 'failed', reason: problem }])
  })

  it('is of the part of the recording that has its time', async () => {
    await world.services.records.updateState('a-show', (state) => {
      const [first] = state.recordings
      if (!first) throw new Error('The show has no recording.')
      return {
        ...state,
        recordings: [...state.recordings, { ...first, part: 2, archiveId: 'b-part', createdAt: timeAt(40) }],
      }
    })
    expect((await create({ from: 30, to: 45 })).body.problems).toMatchObject([
      { path: 'to', message: expect.stringContaining('next part') },
    ])
    expect((await create({ from: -5, to: 5 })).body.problems).toMatchObject([{ path: 'from' }])
    const { clipId } = (await create({ from: 45, to: 50 })).body
    expect((await world.services.storage.list('recordings/b-part/clips/', { limit: 2 })).keys).toEqual([
      keys.clip('b-part', clipId),
    ])
  })
})

/** Ends an execution that publishes the recording, or cuts the clip, before it could report. */
function interrupt({ attempt = 1, cause, clipId }: { attempt?: number; cause?: string; clipId?: string }) {
  const key = keys.archive('1', archiveId, 'composed')
  const clip = clipId !== undefined && { clip: { archiveId, clipId } }
  const name = clipId === undefined ? publishExecutionName(archiveId, 'e') : clipExecutionName(archiveId, clipId)
  return run(world, 'startPublish', {
    'detail-type': 'Step Functions Execution Status Change',
    detail: {
      name: attempt === 1 ? name : `${name}-r${attempt}`,
      input: JSON.stringify({ bucket: 'media', key, etag: 'e', ...clip }),
      ...(cause ? { status: 'ABORTED', cause } : { status: 'FAILED', error: 'Unpublished' }),
    },
  })
}

/** Ends the show without its archives, and without an execution that could report it. */
async function loseUnreported() {
  await world.services.shows.update('a-show', (state) => ({ ...state, closings: 9 }))
  expect((await run(world, 'sweepShows', {})).reported).toMatchObject([{ showId: 'a-show' }])
}

/** Ends the show without its archives. */
async function lose() {
  const { sessionId } = await stateOf(world)
  return run(world, 'reportShow', { showId: 'a-show', sessionId: sessionId ?? null, reason: null, failure: null })
}
