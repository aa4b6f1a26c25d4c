import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Manifest } from '../../../../lib/publish/manifest/manifest.ts'
import { isCall } from '../../../support/world/interceptors.ts'
import { openWorld, START_TIME, type World, webinar } from '../../../support/world.ts'
import { type Call, call } from '../call.ts'
import { archiveId, manifest } from './recording.ts'

let world: World
let executions: unknown[]
const files = [{ role: 'hls' as const, key: `recordings/${archiveId}/hls/e/master.m3u8`, size: 1, sha256: null }]
const publish = (changes: Partial<Manifest> = {}) =>
  world.services.records.writeManifest({ ...manifest, duration: 600, files, ...changes }, async () => true)
beforeEach(async () => {
  world = openWorld()
  executions = []
  world.machines.publish = async (input) => {
    executions.push(input)
    return {}
  }
  await publish({ keepDays: 30 })
})
afterEach(() => world.close())

const CONFLICT = '<Error><Code>ConditionalRequestConflict</Code><Message>Try again.</Message></Error>'
const path = `/recordings/${archiveId}/clips`
const create = (body: object, options: Call = {}) => call(world, `POST ${path}`, { body, ...options })
const at = (seconds: number) => new Date(Date.parse(START_TIME) + seconds * 1000).toISOString()
const spanOf = async (body: object) => {
  const { status, body: answer } = await create({ name: 'Demo', ...body })
  return status === 202 ? [answer.from, answer.to] : answer.problems
}

describe('POST /recordings/{archiveId}/clips', () => {
  it('answers with links at once, and has the MP4 cut', async () => {
    const { status, body, headers } = await create({ name: 'Demo', from: 90.5, to: 120 })
    expect([status, body]).toMatchObject([
      202,
      { archiveId, name: 'Demo', from: 90.5, to: 120, status: 'cutting', createdBy: 'app', createdAt: START_TIME },
    ])
    const { clipId, hls, watch } = body
    expect(headers.location).toBe(`${path}/${clipId}`)
    expect(new URL(hls.url).pathname).toBe(`/watch/${archiveId}/clips/${clipId}/playlist`)
    expect(new URL(hls.url).searchParams.get('file')).toBe('hls/e/master.m3u8')
    expect(new URL(watch.url).pathname).toBe(`/watch/${archiveId}/clips/${clipId}`)
    await expect.poll(() => executions).toMatchObject([{ key: manifest.source.key, clip: { archiveId, clipId } }])
    expect((await call(world, `GET ${path}/${clipId}`)).body).toMatchObject({ clipId, status: 'cutting' })
  })

  it('reads bounds as seconds, times, the end, the last seconds, and the last marker', async () => {
    await world.accept(webinar, 'a-show')
    const markers = [
      { id: 'a', at: at(100), title: 'Talk' },
      { id: 'b', at: at(450), title: 'Questions' },
      { id: 'c', at: at(900), title: 'After the end' },
    ]
    await world.services.records.updateState('a-show', (state) => ({ ...state, liveAt: START_TIME, markers }))
    await publish({ show: { showId: 'a-show', name: 'program', part: 1 } })
    expect(await spanOf({ from: 10 })).toEqual([10, 600])
    expect(await spanOf({ from: at(20), to: at(50.25).replace('Z', '+00:00') })).toEqual([20, 50.25])
    expect(await spanOf({ last: 60 })).toEqual([540, 600])
    expect(await spanOf({ from: 'last marker' })).toEqual([450, 600])
    expect(await spanOf({ from: 400, to: 'last marker' })).toEqual([400, 450])
  })

  it('takes the pauses of a joined recording off times on the clock', async () => {
    await publish({ pauses: [{ at: 100, duration: 50 }] })
    expect(await spanOf({ from: at(90), to: at(180) })).toEqual([90, 130])
    expect(await spanOf({ from: at(120), to: at(180) })).toEqual([100, 130])
  })

  it('records a clip whose write S3 refuses because of another request that has failed', async () => {
    let refusals = 1
    world.interceptors.aws = (request, pass) =>
      isCall('PUT', /clip\.json/)(request) && refusals-- > 0
        ? Promise.resolve(new Response(CONFLICT, { status: 409, headers: { 'content-type': 'application/xml' } }))
        : pass()
    const { status, body } = await create({ name: 'Demo', from: 90.5, to: 120 })
    expect([status, refusals < 0]).toEqual([202, true])
    expect((await call(world, `GET ${path}/${body.clipId}`)).body).toMatchObject({ name: 'Demo', status: 'cutting' })
  })

  it('refuses bounds outside the recording, and orders that are not one', async () => {
    for (const [body, problem] of [
      [{ from: 600 }, { path: 'from', message: expect.stringContaining('lasts 600.000 s') }],
      [{ from: at(-1) }, { path: 'from', message: expect.stringContaining('before the start') }],
      [
        { from: 1, to: 601 },
        { path: 'to', message: expect.stringContaining('after the end') },
      ],
      [
        { from: 5, to: 5.2 },
        { path: 'to', message: 'must be at least 0.5 s after from' },
      ],
      [{ from: 'last marker' }, { path: 'from', message: expect.stringContaining('needs a marker') }],
      [{}, { message: 'needs either from or last' }],
      [
        { last: 5, to: 9 },
        { path: 'to', message: 'is not allowed with last' },
      ],
    ] as const)
      expect(await spanOf(body)).toMatchObject([problem])
    await publish({ duration: 10_000 })
    expect(await spanOf({ from: 0 })).toMatchObject([{ path: 'to', message: 'must be at most 3600 s after from' }])
    expect((await create({ name: ' ', from: 1 })).body.code).toBe('invalid-body')
  })

  it('makes one clip under one key', async () => {
    const order = { name: 'Demo', from: 10, to: 20 }
    const [first, second] = [await create(order, { key: 'one' }), await create(order, { key: 'one' })]
    expect(second.body.clipId).toBe(first.body.clipId)
    expect((await create({ ...order, to: 30 }, { key: 'one' })).body.code).toBe('idempotency-key-reused')
    expect((await call(world, `GET ${path}`)).body.items).toHaveLength(1)
  })

  it('refuses a recording without HLS, one that does not exist, and too many clips', async () => {
    expect((await call(world, 'POST /recordings/none/clips', { body: { name: 'Demo', from: 1 } })).status).toBe(404)
    await publish({ files: [] })
    expect((await create({ name: 'Demo', from: 1 })).body.code).toBe('recording-not-playable')
    await publish()
    const { body } = await create({ name: 'Demo', from: 1 })
    const key = `recordings/${archiveId}/clips/${body.clipId}/clip.json`
    const text = (await world.services.storage.readText(key)) ?? ''
    const copies = Array.from({ length: 99 }, (_, index) => key.replace(body.clipId, `clip${index}`))
    await Promise.all(copies.map((copy) => world.services.storage.put(copy, text, 'application/json')))
    expect((await create({ name: 'Demo', from: 1 })).body).toMatchObject({
      code: 'limit-reached',
      detail: 'The recording has reached its limit of 100 clips. Delete some first.',
    })
  })
})

describe('DELETE /recordings/{archiveId}/clips/{clipId}', () => {
  it('deletes one clip, and each with its recording', async () => {
    world.keepVersions()
    const clips = [await create({ name: 'One', from: 1 }), await create({ name: 'Two', from: 2 })]
    await expect.poll(() => executions.length).toBe(2)
    const [one, two] = clips.map(({ body }) => `${path}/${body.clipId}`)
    await expect.poll(async () => (await call(world, `DELETE ${one}`)).status).toBe(200)
    expect((await call(world, `GET ${one}`)).body.code).toBe('unknown-clip')
    expect((await call(world, `DELETE ${one}`)).body.code).toBe('unknown-clip')
    expect((await call(world, `GET ${path}`)).body.items).toMatchObject([{ name: 'Two' }])
    await call(world, `DELETE /recordings/${archiveId}`)
    expect((await call(world, `GET ${two}`)).body.code).toBe('unknown-recording')
    await call(world, `POST /recordings/${archiveId}/restore`)
    expect((await call(world, `GET ${path}`)).body.items).toMatchObject([{ name: 'Two' }])
  })
})
