import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keys } from '../../lib/show/state/keys.ts'
import type { TaskInput } from '../../lib/tasks/tasks.ts'
import { machineArn, openWorld, type World } from '../support/world.ts'
import { call } from './api/call.ts'
import { run } from './run.ts'

let world: World
beforeEach(async () => {
  world = openWorld({}, 'Enabled')
  await world.services.records.writeManifest(
    {
      ...{ version: 1, archiveId, createdAt: '2026-11-20T08:00:00.000Z', status: 'complete', access: 'signed' },
      ...{ source: { key, etag: await put(FILM), size: FILM.length, sha256: sha256Of(FILM) }, ...facts, files },
    },
    async () => true,
  )
})
afterEach(() => world.close())

const archiveId = 'b40ef09b-3811-4726-b508-e41a0f96c68f'
const key = keys.archive('100001', archiveId)
const FILM = 'the film of the event'
const OTHER = 'another film, uploade'
const facts = { duration: 20, video: null, audio: null }
const files = [
  { role: 'poster' as const, key: keys.published(archiveId, 'poster', 'e', 'poster.jpg'), size: 5, sha256: 'aa' },
]
const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex')

async function put(text: string): Promise<string> {
  await world.services.storage.put(key, text, 'video/mp4')
  return createHash('md5').update(text).digest('hex')
}

type Input = TaskInput<'writeManifest'>
type Record = NonNullable<NonNullable<Input['inspection']>['record']>

/** Publishes what is there now as the publish machine does, with this record of the platform. */
async function publish(
  text: string,
  stage: Input['stage'],
  record: Partial<Record> | null,
  changes: Partial<Input> = {},
) {
  const sent: Record = {
    status: 'uploaded',
    size: FILM.length,
    duration: 20,
    createdAt: '2026-11-20T08:00:00.000Z',
    ...record,
  }
  return run(world, 'writeManifest', {
    ...{ bucket: 'media', key, etag: createHash('md5').update(text).digest('hex'), executionName: 'publish', stage },
    inspection: {
      ...{ archiveId, size: text.length, facts, show: null, formats: ['poster'], pieces: [], streams: [], ladder: [] },
      ...{ access: 'signed', keepDays: null, differences: [], ...(record && { record: sent }) },
    },
    hashes: stage === 'complete' ? { sha256: sha256Of(text), faststartSha256: null } : null,
    ...{ loudness: null, files, missing: [], ffmpeg: null, failure: null },
    ...changes,
  })
}
const sha256sum = Buffer.from(sha256Of(FILM), 'hex').toString('base64')
const manifest = () => world.services.records.readManifest(archiveId)
const read = async () => (await call(world, `GET /recordings/${archiveId}`)).body
const judge = (verdict: 'accept' | 'reject', etag: string) =>
  call(world, `POST /recordings/${archiveId}/${verdict}`, { body: { etag } })
const executions = () => world.states.listExecutions({ stateMachineArn: machineArn('publish') }).map(({ name }) => name)

describe('a file in the place of a published one', () => {
  it.each<[string, string, Partial<Record> | null, string]>([
    ['size', 'longer than the film of the event', { sha256sum }, 'It has 33 bytes; the platform recorded 21.'],
    ['duration', OTHER, { duration: 60 }, 'It lasts 20.00 s; the platform recorded 60 s.'],
    ['missing record', OTHER, null, 'The platform does not know this archive.'],
  ])('is withheld at once for its %s, before anything is shown of it', async (_what, text, record, reason) => {
    const before = await manifest()
    const etag = await put(text)
    expect(await publish(text, 'ready', record)).toMatchObject({ status: 'withheld', message: reason })
    expect(await manifest()).toEqual({
      ...before,
      source: { ...before?.source, versionId: expect.any(String) },
      withheld: { etag, size: text.length, sha256: null, since: world.now(), differences: [reason] },
    })
    expect(world.ownerEvents).toEqual([])
  })

  it.each<[string, Partial<Record>, string]>([
    ['states', { sha256sum }, 'Its SHA-256 differs from the platform’s record.'],
    ['states none of', {}, 'The platform recorded no SHA-256, and its content differs from the published file.'],
  ])(
    'is withheld for content whose hash the platform %s, and not shown before that is known',
    async (_how, record, reason) => {
      await put(OTHER)
      expect(await publish(OTHER, 'ready', record)).toEqual({ archiveId, status: 'ready' })
      expect(await manifest()).not.toHaveProperty('withheld')
      expect(await publish(OTHER, 'complete', record)).toMatchObject({ status: 'withheld', message: reason })
      expect((await manifest())?.source.sha256).toBe(sha256Of(FILM))
    },
  )

  it('is withheld when it cannot be published, so that what was published stays', async () => {
    await put(OTHER)
    const failure = { Error: 'MediaError', Cause: '{"errorMessage":"The file is cut off."}' }
    const failed = { inspection: null, hashes: null, files: [], failure }
    expect(await publish(OTHER, 'complete', {}, failed)).toMatchObject({ status: 'withheld' })
    expect(await manifest()).toMatchObject({ status: 'complete', withheld: { differences: ['The file is cut off.'] } })
  })

  it.each<[string, string, Partial<Record>]>([
    ['is what the platform recorded', OTHER, { sha256sum: Buffer.from(sha256Of(OTHER), 'hex').toString('base64') }],
    ['has the same content', FILM, { size: 1 }],
    ['has the size that the platform states and the published one has not', 'film', { size: 4 }],
  ])('takes its place when it %s', async (_what, text, record) => {
    const etag = await put(text)
    expect(await publish(text, 'complete', record)).toMatchObject({ status: 'complete' })
    expect(await manifest()).toMatchObject({ source: { etag, versionId: expect.any(String) } })
  })

  it('leaves a recording private whose links were revoked', async () => {
    await call(world, `POST /recordings/${archiveId}/revoke`)
    await put(FILM)
    const { body } = await call(world, `GET /recordings/${archiveId}`)
    expect(body.access).toBe('signed')
    const asked = { archiveId, size: FILM.length, facts, show: null, formats: [], pieces: [], streams: [], ladder: [] }
    await publish(FILM, 'complete', {}, { inspection: { ...asked, access: 'public', keepDays: null, differences: [] } })
    expect(await manifest()).toMatchObject({ access: 'signed', epoch: 1, status: 'complete' })
  })

  it('takes the place of one that could not be published', async () => {
    await world.services.records.changeManifest(
      archiveId,
      (earlier) => ({ ...whole(earlier), status: 'failed' }),
      isCurrent,
    )
    await put(OTHER)
    expect(await publish(OTHER, 'complete', null)).toMatchObject({ status: 'complete' })
  })

  it('is not what links to the source lead to', async () => {
    await put(FILM)
    await publish(FILM, 'complete', { sha256sum })
    const url = new URL((await read()).source.url)
    const [newest] = await world.services.storage.versionsOf(key)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      ...{ versionId: newest?.versionId, 'response-content-type': 'video/mp4' },
      'response-content-disposition': expect.stringContaining(`attachment; filename="${archiveId}.mp4"`),
    })
    await put(OTHER)
    await publish(OTHER, 'complete', { sha256sum })
    expect(new URL((await read()).source.url).searchParams.get('versionId')).toBe(newest?.versionId)
  })
})

describe('an operator’s judgement of a withheld file', () => {
  let etag: string
  beforeEach(async () => {
    etag = await put(OTHER)
    await publish(OTHER, 'complete', { sha256sum })
  })

  it('is asked for before a rebuild', async () => {
    expect((await read()).withheld.differences).toEqual(['Its SHA-256 differs from the platform’s record.'])
    expect((await call(world, `POST /recordings/${archiveId}/rebuild`)).status).toBe(409)
  })

  it('publishes it once when it is accepted, however often', async () => {
    const answers = [await judge('accept', etag), await judge('accept', etag)]
    for (const { status, body } of answers) expect([status, body.outcome]).toEqual([202, 'publishing'])
    expect(executions()).toEqual([`${archiveId}-accept-${etag.slice(0, 16)}`])
    expect((await judge('reject', etag)).status).toBe(409)
    expect(await publish(OTHER, 'ready', { sha256sum })).toMatchObject({ status: 'ready' })
    expect(await publish(OTHER, 'complete', { sha256sum })).toMatchObject({ status: 'complete' })
    expect(await manifest()).toMatchObject({ source: { etag, sha256: sha256Of(OTHER) } })
    expect(await manifest()).not.toHaveProperty('withheld')
    expect((await judge('accept', etag)).body.outcome).toBe('published')
    expect((await judge('reject', etag)).status).toBe(409)
  })

  it('brings the published file back when it is rejected, however often', async () => {
    const first = await manifest()
    for (const { status, body } of [await judge('reject', etag), await judge('reject', etag)])
      expect([status, body]).toEqual([200, { archiveId, etag, outcome: 'rejected' }])
    expect(await world.services.storage.headOf(key)).toMatchObject({ versionId: first?.source.versionId })
    expect(await world.services.storage.readText(key)).toBe(FILM)
    const { withheld: _, ...published } = first ?? {}
    expect(await manifest()).toEqual(published)
    expect(executions()).toEqual([])
  })

  it('continues to publish a recording that was only ready, once', async () => {
    await world.services.records.changeManifest(
      archiveId,
      (earlier) => ({ ...whole(earlier), status: 'ready' }),
      isCurrent,
    )
    const { source } = whole(await manifest())
    for (const _ of ['first', 'again']) expect((await judge('reject', etag)).status).toBe(200)
    expect(executions()).toEqual([expect.stringMatching(`^${archiveId}-rebuild-`)])
    const { executionArn = '' } = world.states.listExecutions({ stateMachineArn: machineArn('publish') })[0] ?? {}
    expect(JSON.parse(world.states.describeExecution({ executionArn }).input)).toEqual({
      ...{ bucket: 'media', key, etag: source.etag },
    })
  })

  it('removes earlier withheld versions as well', async () => {
    const last = await put('a third film, for once')
    await publish('a third film, for once', 'complete', { sha256sum })
    expect((await judge('reject', etag)).status).toBe(409)
    expect((await judge('reject', last)).status).toBe(200)
    expect(await world.services.storage.readText(key)).toBe(FILM)
  })

  it('waits while another uploaded file is not inspected yet', async () => {
    await put('a third film, for once')
    expect([(await judge('accept', etag)).status, (await judge('reject', etag)).status]).toEqual([409, 409])
    expect(executions()).toEqual([])
  })

  it('is for operators, about a file that is withheld', async () => {
    const path = `POST /recordings/${archiveId}/accept`
    expect((await call(world, path, { body: { etag }, role: 'showrunner/viewer' })).status).toBe(403)
    expect((await call(world, path, { body: {} })).status).toBe(400)
    expect((await judge('accept', 'b'.repeat(32))).status).toBe(409)
    expect((await call(world, 'POST /recordings/none/reject', { body: { etag } })).status).toBe(404)
  })

  it('finds nothing to bring back once the published version is gone', async () => {
    const { versionId = '' } = (await manifest())?.source ?? {}
    await world.services.storage.deleteVersion(key, versionId)
    expect((await judge('reject', etag)).body.detail).toMatch(/^The published file is missing/)
  })
})

const isCurrent = async () => true
type Manifest = NonNullable<Awaited<ReturnType<typeof manifest>>>
const whole = (earlier: Manifest | undefined): Manifest => earlier as Manifest
