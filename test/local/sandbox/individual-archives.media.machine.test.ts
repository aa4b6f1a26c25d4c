import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createSteppedClock } from '../../../lib/clock.ts'
import { findFfmpeg } from '../../../lib/media/ffmpeg/find-ffmpeg.ts'
import { createMedia } from '../../../local/sandbox/media/create-media.ts'
import { readZip } from '../../support/zip.ts'
import { createMemoryBucket, uploadTarget } from './archives/memory-bucket.ts'
import { openSandbox, START } from './open-sandbox.ts'

it('an individual archive is uploaded as a zip whose manifest has the owner, start and end of each stream', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sandbox-individual-'))
  const clock = createSteppedClock(START, () => world.sandbox.settled())
  const media = await createMedia({ ffmpegPath: await findFfmpeg(), clock, directory })
  const bucket = createMemoryBucket()
  const world = openSandbox({ clock, media: () => media, uploadHandler: bucket.handler })
  onTestFinished(async () => {
    await world.sandbox.close()
    await rm(directory, { recursive: true })
  })
  const { call, apiKey } = world
  await call('setUploadTarget', uploadTarget())
  const sessionId = await world.createSession()
  const ada = await world.join(sessionId, { name: 'Ada', videoType: 'screen' })
  const { body: archive } = await call('startArchive', { sessionId, outputMode: 'individual', name: 'speakers' })
  await clock.advance(500)
  await call('muteSession', { sessionId, active: true })
  const bob = await world.join(sessionId, { name: 'Bob', video: false })
  await clock.advance(500)
  await ada.leave()
  await clock.advance(500)
  await call('stopArchive', { archiveId: archive.id })
  await world.sandbox.settled()

  const { body: uploaded } = await call('getArchive', { archiveId: archive.id })
  expect(uploaded).toMatchObject({ status: 'uploaded', outputMode: 'individual', duration: 2 })
  const zip = bucket.objects.get(`/recordings/${apiKey}/${archive.id}/archive.zip`)
  expect(zip?.length).toBe(uploaded.size)
  const files = readZip(zip as Buffer)
  const { files: described, ...about } = JSON.parse(String(files.get(`${archive.id}.json`)))
  expect(about).toEqual({ id: archive.id, name: 'speakers', sessionId, createdAt: archive.createdAt })
  const file = (streamId: string | undefined) => ({ streamId, filename: `${streamId}.webm`, size: expect.any(Number) })
  expect(described).toEqual([
    { ...file(ada.streamId), connectionData: 'Ada', videoType: 'screen', startTimeOffset: 0, stopTimeOffset: 1_000 },
    { ...file(bob.streamId), connectionData: 'Bob', videoType: 'camera', startTimeOffset: 500, stopTimeOffset: 1_500 },
  ])
})
