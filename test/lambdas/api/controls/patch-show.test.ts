import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ShowDocument } from '../../../../lib/show/document/show.ts'
import { isCall, refusing } from '../../../support/world/interceptors.ts'
import { openWorld, type World } from '../../../support/world.ts'
import { bringLive, call, stateOf } from '../call.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await world.close()
})

const patch = (body: unknown, key?: string) =>
  call(world, 'PATCH /shows/a-show', { body, ...(key !== undefined && { key }) })
const refusal = async (body: unknown) => {
  const answer = await patch(body)
  return { status: answer.status, problems: answer.body.problems }
}
const recorded = {
  version: 1,
  name: 'Lecture',
  duration: 3_600,
  recordings: [{ name: 'program' }],
} satisfies ShowDocument

describe('PATCH /shows/{id} with duration or endsAt', () => {
  it('extends a show, counted from when it went live', async () => {
    await bringLive(world, recorded)
    await world.clock.advance(60_000)
    const { status, body } = await patch({ duration: 5_400 })
    expect(status).toBe(200)
    expect(body.timeline).toMatchObject([
      { what: 'control.duration', detail: 'The show ends at 2026-11-20T10:30:00.000Z.' },
    ])
    expect((await stateOf(world)).plannedEndAt).toBe('2026-11-20T10:30:00.000Z')
  })

  it('shortens a show', async () => {
    await bringLive(world, recorded)
    expect((await patch({ endsAt: '2026-11-20T10:15:00+01:00' })).status).toBe(200)
    expect((await stateOf(world)).plannedEndAt).toBe('2026-11-20T09:15:00.000Z')
  })

  it('refuses a time that has passed', async () => {
    await bringLive(world, recorded)
    await world.clock.advance(120_000)
    const message = 'is in the past: stop the show instead'
    expect(await refusal({ duration: 60 })).toEqual({ status: 409, problems: [{ path: 'duration', message }] })
    expect(await refusal({ endsAt: '2026-11-20T09:00:00Z' })).toEqual({
      status: 409,
      problems: [{ path: 'endsAt', message }],
    })
    expect((await stateOf(world)).plannedEndAt).toBe('2026-11-20T10:00:00.000Z')
  })

  it('refuses an end before the next poll, and states that time', async () => {
    await bringLive(world, recorded)
    const early = { status: 409, problems: [{ path: 'endsAt', message: expect.any(String) }] }
    const inSeconds = (seconds: number) => ({ endsAt: new Date(world.clock.now() + seconds * 1000).toISOString() })
    expect(await refusal(inSeconds(9))).toMatchObject(early) // a young show is looked at every 5 s
    expect((await patch(inSeconds(3_000))).status).toBe(200)
    await world.clock.advance(60_000)
    expect(await refusal(inSeconds(5))).toEqual({
      status: 409,
      problems: [
        {
          path: 'endsAt',
          message: 'is before the next poll of the show, at 2026-11-20T09:01:55.000Z: stop the show to end it sooner',
        },
      ],
    })
    expect((await patch(inSeconds(55))).status).toBe(200)
    await world.clock.advance(30_000)
    expect(await refusal(inSeconds(20))).toMatchObject(early)
    expect((await patch(inSeconds(25))).status).toBe(200)
  })

  it('refuses to move an end that has come', async () => {
    await bringLive(world, recorded)
    await world.clock.advance(3_600_000)
    expect(await patch({ duration: 7_200 }, 'key')).toMatchObject({
      status: 409,
      body: { detail: 'The show a-show has ended meanwhile, so its end cannot be moved.' },
    })
    expect(await stateOf(world)).toMatchObject({ plannedEndAt: '2026-11-20T10:00:00.000Z', controls: [] })
  })

  it('refuses more than seven days', async () => {
    await bringLive(world, recorded)
    expect((await patch({ duration: 604_800 })).status).toBe(200)
    expect(await refusal({ endsAt: '2026-11-27T09:00:01Z' })).toMatchObject({
      status: 409,
      problems: [{ path: 'endsAt' }],
    })
    expect((await patch({ duration: 604_801 })).status).toBe(400)
  })

  it('refuses to outlive a recording that is without parts', async () => {
    await bringLive(world, { ...recorded, recordings: [{ name: 'program', parts: false }, { name: 'speakers' }] })
    expect((await patch({ duration: 14_400 })).status).toBe(200)
    expect(await refusal({ duration: 14_401 })).toEqual({
      status: 409,
      problems: [
        {
          path: 'duration',
          message:
            'is too late for the recording program, which has no parts: the platform stops it at 2026-11-20T13:00:00.000Z',
        },
      ],
    })
  })

  it('refuses to outlast a broadcast without parts, by the duration that it was started with', async () => {
    const broadcasts = [{ name: 'live', hls: {}, maxDuration: 5_400 }]
    await bringLive(world, { ...recorded, broadcasts })
    expect((await patch({ duration: 5_400 })).status).toBe(200)
    expect(await refusal({ duration: 5_401 })).toMatchObject({
      status: 409,
      problems: [{ message: expect.stringContaining('the broadcast live, which has no parts') }],
    })
    expect((await patch({ duration: 3_600 })).status).toBe(200)
  })

  it('outlasts a broadcast that continues in parts', async () => {
    const broadcasts = [{ name: 'live', hls: {}, maxDuration: 5_400, parts: true }]
    await bringLive(world, { ...recorded, broadcasts })
    expect((await patch({ duration: 90_000 })).status).toBe(200)
  })
})

describe('PATCH /shows/{id} with layouts', () => {
  it('changes the layouts of recordings and broadcasts, and keeps them for the parts to come', async () => {
    const { archives, broadcasts } = await bringLive(world)
    const layouts = [
      { recording: 'program', layout: { type: 'pip' } },
      { broadcast: 'live', layout: { type: 'custom', stylesheet: 'stream { float: left }' } },
    ]
    const { status, body } = await patch({ layouts })
    expect(status).toBe(200)
    expect(body.timeline).toMatchObject([
      { what: 'control.layout', name: 'program', detail: 'The layout of the recording program is pip.' },
      { what: 'control.layout', name: 'live' },
    ])
    expect(world.calls).toEqual([
      `PUT /archive/${archives.get('program')}/layout`,
      `PUT /broadcast/${broadcasts.get('live')}/layout`,
    ])
    const state = await stateOf(world)
    expect(state.recordings).toMatchObject([{ layout: { type: 'pip' } }, { name: 'speakers' }])
    expect(state.recordings[1]).not.toHaveProperty('layout')
    expect(state.broadcasts).toMatchObject([{ layout: { type: 'custom' } }])
  })

  it('changes a part as well that began while the one before it was changed', async () => {
    const { sessionId, archives } = await bringLive(world, recorded)
    const tag = 'a-show/program/2'
    let next = ''
    world.interceptors.platform = async (_request, pass) => {
      if (next) return pass()
      const order = { sessionId, name: tag, multiArchiveTag: tag }
      next = (await world.platform.call('startArchive', order)).body.id as string
      await world.services.records.updateState('a-show', (state) => ({
        ...state,
        recordings: [...state.recordings, { name: 'program', part: 2, tag, archiveId: next, status: 'started' }],
      }))
      return pass()
    }
    const layouts = [{ recording: 'program', layout: { type: 'pip' } }]
    expect((await patch({ layouts })).status).toBe(200)
    expect(world.calls).toEqual([`PUT /archive/${archives.get('program')}/layout`, `PUT /archive/${next}/layout`])
    expect((await stateOf(world)).recordings).toMatchObject([{}, { part: 2, layout: { type: 'pip' } }])
  })

  it('names everything that the show does not allow, and does none of it', async () => {
    await bringLive(world, {
      ...recorded,
      recordings: [{ name: 'program' }, { name: 'each', outputMode: 'individual' }],
    })
    await world.services.records.updateState('a-show', (state) => ({
      ...state,
      recordings: state.recordings.map((one) => ({ ...one, status: 'stopped' })),
    }))
    expect(
      await refusal({
        duration: 60,
        layouts: [
          { recording: 'program', layout: { type: 'pip' } },
          { recording: 'each', layout: { type: 'pip' } },
          { broadcast: 'none', layout: { type: 'pip' } },
        ],
      }),
    ).toEqual({
      status: 409,
      problems: [
        { path: 'layouts[0]', message: 'names the recording program, which is not running' },
        { path: 'layouts[1].layout', message: 'requires outputMode composed, which the recording each does not have' },
        { path: 'layouts[2]', message: 'names the broadcast none, which the show does not have' },
      ],
    })
    expect(world.calls).toEqual([])
    expect((await stateOf(world)).plannedEndAt).toBe('2026-11-20T10:00:00.000Z')
  })

  it('says which change the platform refused, and moves the end only once all have succeeded', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    await bringLive(world, { ...recorded, recordings: [{ name: 'program' }, { name: 'speakers' }] })
    const body = {
      duration: 600,
      layouts: ['program', 'speakers'].map((recording) => ({ recording, layout: { type: 'pip' } })),
    }
    world.interceptors.platform = refusing(isCall('PUT', /\/layout$/), 500, 3)
    expect(await patch(body, 'key')).toMatchObject({
      status: 502,
      body: { problems: [{ path: 'layouts[0]', message: 'The platform fails (500: As arranged): try again later.' }] },
    })
    expect((await stateOf(world)).plannedEndAt).toBe('2026-11-20T10:00:00.000Z')
    expect((await patch(body, 'key')).body.timeline).toHaveLength(3)
    expect((await stateOf(world)).plannedEndAt).toBe('2026-11-20T09:10:00.000Z')
  })
})

describe('PATCH /shows/{id} with streams', () => {
  const chosen = {
    ...recorded,
    recordings: [{ name: 'program', streamMode: 'manual' }, { name: 'all' }],
    broadcasts: [{ name: 'live', hls: {}, streamMode: 'manual' }],
  } satisfies ShowDocument

  it('adds and removes the streams of recordings and broadcasts', async () => {
    const { archives, sessionId, guest } = await bringLive(world, chosen)
    const { streamId } = guest
    const { status, body } = await patch({
      streams: [
        { recording: 'program', addStream: streamId, hasVideo: false },
        { broadcast: 'live', addStream: streamId },
        { broadcast: 'live', removeStream: streamId },
      ],
    })
    expect(status).toBe(200)
    expect(body.timeline.map(({ detail }: { detail: string }) => detail)).toEqual([
      `The stream ${streamId} was added to the recording program.`,
      `The stream ${streamId} was added to the broadcast live. The stream ${streamId} was removed from the broadcast live.`,
    ])
    const { body: archive } = await world.platform.call('getArchive', { archiveId: archives.get('program') ?? '' })
    expect(archive.streams).toMatchObject([{ streamId, hasAudio: true, hasVideo: false }])
    const [broadcast] = (await world.platform.call('listBroadcasts', { sessionId })).body.items
    expect(broadcast.streams ?? []).toEqual([])
  })

  it('refuses a recording that includes every stream automatically', async () => {
    await bringLive(world, chosen)
    expect(await refusal({ streams: [{ recording: 'all', addStream: 'a' }] })).toEqual({
      status: 409,
      problems: [
        {
          path: 'streams[0]',
          message: 'requires streamMode manual: the recording all includes every stream automatically',
        },
      ],
    })
  })

  it('says that a stream is not there', async () => {
    await bringLive(world, chosen)
    const addStream = '8b732909-0a06-46a2-8ea8-074e64d43422'
    expect(await refusal({ streams: [{ recording: 'program', addStream }] })).toMatchObject({
      status: 409,
      problems: [{ path: 'streams[0]', message: expect.stringContaining('The platform refuses it (404') }],
    })
  })
})

describe('PATCH /shows/{id}', () => {
  it.each([
    ['nothing', {}, '', 'needs duration, endsAt, layouts or streams'],
    ['two ends', { duration: 1, endsAt: '2026-11-20T19:00:00Z' }, '', 'duration and endsAt exclude each other'],
    ['half a second', { duration: 0.5 }, 'duration', 'must be a whole number'],
    ['no time', { endsAt: 'soon' }, 'endsAt', 'must be a time such as 2026-12-01T19:00:00Z'],
    [
      'a layout of nothing',
      { layouts: [{ layout: { type: 'pip' } }] },
      'layouts[0]',
      'needs either recording or broadcast',
    ],
    ['a layout without a type', { layouts: [{ recording: 'a', layout: {} }] }, 'layouts[0].layout.type', 'is missing'],
    [
      'a custom layout without one',
      { layouts: [{ recording: 'a', layout: { type: 'custom' } }] },
      'layouts[0].layout.stylesheet',
      'is required with type custom',
    ],
    [
      'an unknown field',
      { layouts: [{ recording: 'a', layout: { type: 'pip', colour: 1 } }] },
      'layouts[0].layout.colour',
      'is not a field of this body',
    ],
    ['no stream', { streams: [{ recording: 'a' }] }, 'streams[0]', 'needs either addStream or removeStream'],
    [
      'tracks of a stream that goes',
      { streams: [{ recording: 'a', removeStream: 'b', hasAudio: true }] },
      'streams[0].hasAudio',
      'is only for addStream',
    ],
    [
      'neither audio nor picture',
      { streams: [{ recording: 'a', addStream: 'b', hasAudio: false, hasVideo: false }] },
      'streams[0]',
      'hasAudio and hasVideo must not both be false',
    ],
  ])('refuses %s', async (_what, body, path, message) => {
    await bringLive(world)
    expect(await refusal(body)).toEqual({ status: 400, problems: [{ path, message }] })
  })
})
