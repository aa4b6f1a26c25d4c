import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import { findFfmpeg } from '../../../../lib/media/ffmpeg/find-ffmpeg.ts'
import type { MediaError } from '../../../../lib/media/media-error.ts'
import { createMedia, type MediaEngine } from '../../../../local/sandbox/media/create-media.ts'
import { processesWith } from '../../../support/processes.ts'
import { openSandbox } from '../open-sandbox.ts'
import { START, stream } from './open-media.ts'

const BROKEN = 'The media engine broke down: restart the sandbox to record and broadcast again.'

/** Opens a sandbox that records and broadcasts Ada, and collects its status changes and faults. */
async function openRecording() {
  const directory = await mkdtemp(join(tmpdir(), 'sandbox-breakdown-'))
  const clock = createSteppedClock(START, () => world.sandbox.settled())
  const faults: MediaError[] = []
  const onFault = (error: MediaError) => void faults.push(error)
  const media = await createMedia({ ffmpegPath: await findFfmpeg(), clock, directory, onFault })
  const world = openSandbox({ clock, media: () => media })
  onTestFinished(async () => {
    await world.sandbox.close()
    await rm(directory, { recursive: true })
  })
  const { call } = world
  const sessionId = await world.createSession()
  await world.join(sessionId, { name: 'Ada' })
  const start = async (more: Record<string, unknown>) => (await call('startArchive', { sessionId, ...more })).body.id
  const archiveIds: string[] = [await start({}), await start({ multiArchiveTag: 'other', outputMode: 'individual' })]
  const { body: broadcast } = await call('startBroadcast', { sessionId, outputs: { hls: {} } })
  await clock.advance(5_000)
  return { ...world, clock, media, directory, faults, sessionId, archiveIds, broadcast }
}

/** Publishes a stream that the engine cannot draw, which no request could. */
const breakDown = (media: MediaEngine) => media.publish(stream('nameless', { name: undefined as never }))

describe('createMedia', () => {
  it('fails all archives and broadcasts when its engine breaks down, reports the cause, and keeps the rest running', async () => {
    const { sandbox, media, faults, call, send, join, archiveIds, broadcast, directory, sessionId } =
      await openRecording()
    breakDown(media)
    await expect
      .poll(() => faults)
      .toEqual([expect.objectContaining({ message: BROKEN, cause: expect.any(TypeError) })])
    await sandbox.settled()
    for (const archiveId of archiveIds)
      expect((await call('getArchive', { archiveId })).body).toMatchObject({ status: 'failed', url: null })
    expect((await call('getBroadcast', { broadcastId: broadcast.id })).body).toMatchObject({ status: 'failed' })
    expect(await call('startArchive', { sessionId })).toMatchObject({
      ...{ status: 500, body: { message: 'The recorder did not start.' } },
    })

    await join(sessionId, { name: 'Bob' })
    expect((await call('listStreams', { sessionId })).body).toMatchObject({ count: 2 })
    const ticked = await send('POST', '/sandbox/clock', { body: JSON.stringify({ advanceSeconds: 60 }) })
    expect(ticked).toEqual({ status: 200, body: { now: START + 65_000 } })
    await expect.poll(() => processesWith(directory)).toEqual([])
    const playlist = (await send('GET', new URL(broadcast.broadcastUrls.hls).pathname)).body
    expect(playlist).toMatch(/segment-00001\.m4s\n.*#EXT-X-ENDLIST\n$/s)
    expect(await readdir(directory)).toEqual([broadcast.id])
  })

  it('removes files that were being finished or just starting when its engine breaks down', async () => {
    const { sandbox, media, call, archiveIds, broadcast, directory, sessionId } = await openRecording()
    for (const archiveId of archiveIds) await call('stopArchive', { archiveId })
    await writeFile(join(directory, 'starting.mp4.fragments'), '') // by its encoder
    breakDown(media)
    const spec = { id: 'starting', sessionId, resolution: '640x480', layout: { type: 'bestFit' } } as const
    await expect(media.startArchive({ ...spec, hasAudio: true, hasVideo: true })).rejects.toThrow(BROKEN)
    await sandbox.settled()
    for (const archiveId of archiveIds)
      expect((await call('getArchive', { archiveId })).body).toMatchObject({ status: 'failed' })
    expect(await readdir(directory)).toEqual([broadcast.id])
    expect(processesWith(directory)).toEqual([])
  })

  it('refuses a broadcast for which the machine has no room, and continues with the others', async () => {
    const { media, faults, clock, call, archiveIds, directory, sessionId } = await openRecording()
    await writeFile(join(directory, 'taken'), '')
    const spec = { id: 'taken', sessionId, resolution: '640x480', layout: { type: 'bestFit' } } as const
    await expect(media.startBroadcast({ ...spec, hls: { dvr: false, lowLatency: false } })).rejects.toMatchObject({
      ...{ name: 'MediaError', message: 'The machine refused what the media engine needs: EEXIST (mkdir).' },
    })
    await clock.advance(1_000)
    for (const archiveId of archiveIds) {
      await call('stopArchive', { archiveId })
      const archive = async () => (await call('getArchive', { archiveId })).body
      await expect.poll(archive).toMatchObject({ duration: 6 })
    }
    expect(faults).toEqual([])
  })
  it('breaks down when the machine refuses a source', async () => {
    const { media, faults, clock, call, archiveIds, sessionId } = await openRecording()
    media.publish(stream('x'.repeat(200_000), { sessionId })) // more than an encoder accepts
    await clock.advance(1_000)
    const cause = expect.objectContaining({ code: 'E2BIG' })
    await expect.poll(() => faults).toEqual([expect.objectContaining({ message: BROKEN, cause })])
    for (const archiveId of archiveIds)
      expect((await call('getArchive', { archiveId })).body).toMatchObject({ status: 'failed' })
  })
  it('ends everything on close without a fault when one output cannot be cleaned up', async () => {
    const { media, faults, directory, broadcast } = await openRecording()
    const removed = `${directory}-removed`
    onTestFinished(() => rm(removed, { recursive: true }))
    await rename(join(directory, broadcast.id), removed) // at once, while its encoder writes segments
    await media.close()
    expect(processesWith(directory)).toEqual([])
    expect(faults).toEqual([])
  })
})
