import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { writeClip } from '../../lib/records/clip-records.ts'
import { clipExecutionName } from '../../lib/show/document/fields/names.ts'
import { keys } from '../../lib/show/state/keys.ts'
import { call } from '../lambdas/api/call.ts'
import { bringLive, openShow, run, settled } from '../lambdas/run.ts'
import { openWorld, type World, webinar } from '../support/world.ts'
import { aac, h264, picture, tone, useClips } from './media/clips.ts'
import { packArchive } from './media/individual/archives.ts'

const TAKES = [{ name: 'takes', outputMode: 'individual' as const }]
/** Bytes from which on the SDK uploads in parts. */
const PART = 5 * 1024 * 1024
const md5 = (bytes: string | Uint8Array) => createHash('md5').update(bytes).digest('hex')

/** Tests of rare paths of handlers, which make AWS calls that no other test makes. */
export function testEdgeCases(): void {
  const clips = useClips()
  let world: World
  beforeEach(() => {
    world = openWorld({ FFMPEG_PATH: clips.ffmpegPath })
  })
  afterEach(() => world.close())

  const end = async (showId: string, sessionId: string) => {
    await world.clock.advance(20_000)
    await run(world, 'stopShow', { showId, sessionId, reason: 'It ended.', failure: null })
    await settled(world)
    await world.clock.advance(60_000)
  }

  it('reports a show whose recording is an archive of single streams, and sweeps what its report left undone', async () => {
    const { showId, sessionId } = await bringLive(world, { ...webinar, broadcasts: [], recordings: TAKES })
    await end(showId, sessionId)
    expect(await run(world, 'checkUploads', { showId, sessionId })).toMatchObject({ over: true, arrived: 1 })
    await run(world, 'reportShow', { showId, sessionId, reason: 'It ended.', failure: null })
    await world.services.shows.update(showId, (state) => ({ ...state, status: 'ending' }))
    expect(await run(world, 'sweepShows', {})).toMatchObject({ checked: 1, failed: [] })
    expect(await world.services.records.readState(showId)).toMatchObject({ status: 'succeeded' })
  })

  it('publishes an archive of single streams that is kept for some days', async () => {
    const archiveId = '00000000-0000-4000-8000-000000000000'
    const zip = await packArchive([])
    const arrival = { bucket: 'media', key: keys.archive('1', archiveId, 'individual'), etag: md5(zip) }
    await world.services.storage.put(arrival.key, zip, 'application/zip')
    const inspection = await run(world, 'inspectRecording', arrival)
    const hashes = await run(world, 'hashSource', arrival)
    const published = {
      ...{ ...arrival, executionName: 'publish', stage: 'complete' as const },
      ...{ hashes, loudness: null, files: [], missing: [], ffmpeg: null, failure: null },
    }
    const kept = { ...published, inspection: { ...inspection, keepDays: 14 } }
    expect(await run(world, 'writeManifest', kept)).toMatchObject({ status: 'complete' })
  })

  it('makes a poster that is kept for some days', async () => {
    const movie = await readFile(await clips.make('kept.mp4', ...picture(1), ...tone(1), ...h264, ...aac))
    const archiveId = '00000000-0000-4000-8000-000000000000'
    const key = keys.archive('1', archiveId)
    await world.services.storage.put(key, movie, 'video/mp4')
    const input = { bucket: 'media', key, etag: md5(movie), archiveId, keepDays: 14 }
    expect((await run(world, 'makePoster', input)).files).toHaveLength(1)
  })

  it('records a clip of a scheduled show, which is kept for some days, and gives it up', async () => {
    const { showId } = await world.accept({ ...webinar, start: { at: '2030-01-01T12:00' } })
    const [archiveId, clipId] = ['00000000-0000-4000-8000-000000000000', 'a-clip']
    const createdAt = new Date(world.clock.now()).toISOString()
    const source = { showId, broadcast: 'live', part: 1, startedAt: createdAt, access: 'signed' as const }
    const live = { ...source, picture: { width: 640, height: 480 }, keepDays: 14 as const }
    const clip = { ...{ version: 1 as const, clipId, archiveId, name: 'Demo', from: 1, to: 2, createdAt }, live }
    await writeClip(world.services.storage, { ...clip, status: 'cutting' }, { keepDays: 14 })
    const recorded = await run(world, 'publishClip', { archiveId, clipId, file: null })
    expect(recorded).toEqual({ clipId, status: 'failed' })
    const detail = {
      ...{ name: `${clipExecutionName(archiveId, clipId)}-r3`, status: 'FAILED' as const, error: 'Unpublished' },
      input: JSON.stringify({
        bucket: 'media',
        key: keys.archive('1', archiveId),
        etag: 'e',
        clip: { archiveId, clipId },
      }),
    }
    const interrupted = { 'detail-type': 'Step Functions Execution Status Change' as const, detail }
    expect(await run(world, 'startPublish', interrupted)).toMatchObject({ outcome: 'given up' })
  })

  it('dials with a password that the show refers to', async () => {
    await world.keepShowSecret('conference', { sip: 'the password' })
    const auth = { username: 'conference', password: { secret: 'conference#sip' } }
    const dialIns = [{ name: 'stage', uri: 'sip:stage@sip.example.com', auth }]
    const { showId, sessionId } = await openShow(world, { ...webinar, dialIns })
    const { outcome } = await run(world, 'startDialIn', { showId, sessionId, name: 'stage' })
    expect(outcome).toBe('dialed')
  })

  it('signs a callback by the secret that the show names, and publishes the keys of all', async () => {
    world.keepShowSecret('apps', { one: 'the secret of this app alone, 32 or more' }, ['https://app.example.com/'])
    const callback = { url: 'https://app.example.com/hook', secret: { secret: 'apps#one' } }
    const { showId } = await world.accept({ ...webinar, callback })
    world.interceptors.platform = async () => new Response(null, { status: 204 })
    await world.services.shows.note(showId, { what: 'recording.started', name: 'program', part: 1 })
    const event = { id: `${showId}/recording.started/program/1/`, showId }
    expect(await run(world, 'notifyOwner', { event })).toMatchObject({ outcome: 'accepted' })
    expect((await call(world, 'GET /.well-known/jwks.json')).body.keys).toHaveLength(1)
  })

  it.each(['composed', 'individual'] as const)(
    'gives up a rescue of an archive, %s, that is interrupted',
    async (outputMode) => {
      const recordings = [{ name: 'takes', outputMode }]
      const { showId, sessionId } = await bringLive(world, { ...webinar, broadcasts: [], recordings })
      await world.aimUploads('no-such-bucket')
      await end(showId, sessionId)
      const [stranded] = (await run(world, 'checkUploads', { showId, sessionId })).stranded
      if (!stranded) throw new Error('Nothing was stranded.')
      world.interceptors.platform = async (request, pass) =>
        request.url.includes('/downloads/') ? new Response(new Uint8Array(2 * PART)) : pass()
      await expect(run(world, 'rescueArchive', { showId, ...stranded })).rejects.toMatchObject({ name: 'ServiceError' })
    },
  )
}
