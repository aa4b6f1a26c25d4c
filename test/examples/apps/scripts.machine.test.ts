import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LambdaFunctionURLEvent } from 'aws-lambda'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { realClock } from '../../../lib/clock.ts'
import type { Manifest } from '../../../lib/publish/manifest/manifest.ts'
import { createMediaOff } from '../../../local/sandbox/media/media-off.ts'
import { startSandbox } from '../../../local/sandbox/server.ts'
import { executionsOf } from '../../lambdas/api/call.ts'
import { manifest } from '../../lambdas/api/recordings/recording.ts'
import { START_TIME } from '../../support/world.ts'
import { createPost, endShow, recordPrinted, setEnvironment, startApi } from './example-app.ts'

let api: Awaited<ReturnType<typeof startApi>>
let folder: string
let printed: string[]
beforeEach(async () => {
  api = await startApi()
  folder = await mkdtemp(join(tmpdir(), 'showrunner-example-'))
  printed = recordPrinted()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true })
  await api.close()
})

const { archiveId } = manifest

/** Publishes a recording of a show, with its files in the bucket. */
async function publish(changes: Partial<Manifest> & Pick<Manifest, 'archiveId' | 'source'>): Promise<void> {
  const { services } = api.world
  const { source, files = [] } = changes
  for (const { key } of [source, ...files]) await services.storage.put(key, `bytes of ${key}`, 'application/zip')
  await services.records.writeManifest({ ...manifest, files, ...changes }, async () => true)
}

const partOf = (showId: string, name: string, id: string, key: string) => ({
  ...{ name, part: 1, tag: `${showId}/${name}/1`, archiveId: id, key, size: 1 },
  ...{ createdAt: START_TIME, status: 'uploaded' as const },
})

/** Awaits the show that a script starts, and ends it with these recordings. */
async function endStartedShow(recordings: Readonly<Record<string, Manifest['source']>>): Promise<string> {
  await expect.poll(() => executionsOf(api.world)).toHaveLength(1)
  const showId = executionsOf(api.world)[0]?.name ?? ''
  const parts = Object.entries(recordings).map(([name, { key }], index) =>
    partOf(showId, name, index ? `${archiveId}-${index}` : archiveId, key),
  )
  await endShow(api.world, showId, { recordings: parts })
  return showId
}

describe('examples/apps/podcast.ts', () => {
  it('downloads the tracks and the mix, and names the tracks', async () => {
    setEnvironment({ FOLDER: folder, EPISODE: 'Episode 42' })
    const finished = import('../../../examples/apps/podcast.ts')
    const tracks = { key: `1/${archiveId}/archive.zip`, size: 1, sha256: null }
    const mix = { key: `1/${archiveId}-1/archive.mp4`, size: 1, sha256: null }
    const showId = await endStartedShow({ tracks, mix })
    const stream = { streamId: 's', file: 's.webm', size: 1, start: 0, stop: 60 }
    await publish({
      archiveId,
      source: tracks,
      show: { showId, name: 'tracks', part: 1 },
      streams: [{ ...stream, videoType: 'camera', hasVideo: true, hasAudio: true }],
    })
    const audio = `recordings/${archiveId}-1/audio/e/audio.m4a`
    await publish({
      archiveId: `${archiveId}-1`,
      source: mix,
      show: { showId, name: 'mix', part: 1 },
      files: [{ role: 'audio', key: audio, size: 1, sha256: null }],
    })
    await finished
    expect(printed).toEqual([
      `Recording ${showId}`,
      'succeeded: Ended as planned.',
      ...['Episode 42 tracks.zip', '  s.webm  0 s to 60 s', 'Episode 42 mix.m4a'],
    ])
    expect(await readFile(join(folder, 'Episode 42 tracks.zip'), 'utf8')).toBe(`bytes of ${tracks.key}`)
    expect(await readFile(join(folder, 'Episode 42 mix.m4a'), 'utf8')).toBe(`bytes of ${audio}`)
  })
})

describe('examples/apps/polling-before.js', () => {
  it('records a session and downloads the file', async () => {
    const sandbox = await startSandbox({ media: createMediaOff(realClock), authHeaders: ['X-OPENTOK-AUTH'] })
    const { apiKey, apiSecret, url } = sandbox
    const { createPlatformClient } = await import('showrunner/platform')
    const platform = createPlatformClient({ baseUrl: url, apiKey, apiSecret, authHeader: 'X-OPENTOK-AUTH' })
    const SESSION_ID = (await platform.createSession())[0]?.session_id ?? ''
    const headers = { authorization: `Bearer ${sandbox.controlToken}` }
    await fetch(`${url}/sandbox/sessions/${SESSION_ID}/participants`, { method: 'POST', headers, body: '{}' })
    const FILE = join(folder, 'program.mp4')
    setEnvironment({ API_KEY: apiKey, API_SECRET: apiSecret, API_URL: url, SESSION_ID, FILE })
    setEnvironment({ SECONDS: '0.1', POLL_SECONDS: '0.1' })
    await import('../../../examples/apps/polling-before.js')
    expect(printed).toEqual([`Recorded ${FILE}`])
    expect((await readFile(FILE)).length).toBeGreaterThan(0)
    await sandbox.close()
  })
})

describe('examples/apps/polling-after.ts', () => {
  it('records the same session by a show, and downloads the file', async () => {
    const SESSION_ID = await api.world.platform.createSession()
    const FILE = join(folder, 'program.mp4')
    setEnvironment({ SESSION_ID, SECONDS: '60', FILE })
    const finished = import('../../../examples/apps/polling-after.ts')
    const source = { key: `1/${archiveId}/archive.mp4`, size: 1, sha256: null }
    const showId = await endStartedShow({ program: source })
    const { show } = (await api.world.services.records.readRequest(showId)) ?? {}
    expect(show).toMatchObject({ duration: 60, session: { id: SESSION_ID } })
    await publish({ archiveId, source, show: { showId, name: 'program', part: 1 } })
    await finished
    expect(printed).toEqual(['succeeded: Ended as planned.', `Recorded ${FILE}`])
    expect(await readFile(FILE, 'utf8')).toBe(`bytes of ${source.key}`)
  })
})

describe('examples/apps/lambda-receiver.ts', () => {
  it('verifies events, reads a published recording, and refuses others', async () => {
    const CALLBACK_URL = 'https://abc.lambda-url.eu-central-1.on.aws/'
    setEnvironment({ CALLBACK_URL })
    const { handler } = await import('../../../examples/apps/lambda-receiver.ts')
    await publish({ archiveId, source: { key: `1/${archiveId}/archive.mp4`, size: 1, sha256: null } })
    /** Calls the function as its URL does, with the body in Base64. */
    const invoke: typeof fetch = async (_url, init) => {
      const headers = Object.fromEntries(new Headers(init?.headers))
      const body = Buffer.from(String(init?.body)).toString('base64')
      const { statusCode } = await handler({ headers, body, isBase64Encoded: true } as never as LambdaFunctionURLEvent)
      return new Response(null, { status: statusCode })
    }
    const event = { event: 'recording.published', name: 'program', status: 'complete', archiveId } as const
    expect(await createPost(invoke)(CALLBACK_URL, event)).toBe(204)
    expect(await createPost(invoke, 'the secret of a stranger, with 32 characters')(CALLBACK_URL, event)).toBe(403)
    expect(printed).toEqual(['program is complete: 1 s, 0 files'])
    await expect(createPost(invoke)(CALLBACK_URL, { ...event, archiveId: 'unknown' })).rejects.toThrow('(503)')
  })
})

describe('examples/apps/web-receiver.ts', () => {
  it('verifies events, and refuses others', async () => {
    const CALLBACK_URL = 'https://app.example.com/showrunner'
    setEnvironment({ CALLBACK_URL })
    const { POST } = await import('../../../examples/apps/web-receiver.ts')
    const invoke: typeof fetch = async (url, init) => POST(new Request(url, init))
    const event = { event: 'recording.published', name: 'program', status: 'ready', archiveId } as const
    expect(await createPost(invoke)(CALLBACK_URL, event)).toBe(204)
    expect(await createPost(invoke, 'the secret of a stranger, with 32 characters')(CALLBACK_URL, event)).toBe(403)
    expect(printed).toEqual(['recording.published program ready'])
  })
})
