import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import { findFfmpeg } from '../../../../lib/media/ffmpeg/find-ffmpeg.ts'
import { createMedia } from '../../../../local/sandbox/media/create-media.ts'
import { openSandbox, START } from '../open-sandbox.ts'

describe('createClockRoutes', () => {
  it('records the time by which the clock has advanced', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'sandbox-clock-'))
    const clock = createSteppedClock(START, () => world.sandbox.settled())
    const media = await createMedia({ ffmpegPath: await findFfmpeg(), clock, directory })
    const world = openSandbox({ clock, media: () => media })
    onTestFinished(async () => {
      await world.sandbox.close()
      await rm(directory, { recursive: true })
    })
    const advance = (advanceSeconds: number) =>
      world.send('POST', '/sandbox/clock', { body: JSON.stringify({ advanceSeconds }) })
    const sessionId = await world.createSession()
    await world.join(sessionId, { name: 'Ada' })
    const { body: archive } = await world.call('startArchive', { sessionId })
    await advance(90)
    await world.call('stopArchive', { archiveId: archive.id })
    await advance(0)
    const { body } = await world.call('getArchive', { archiveId: archive.id })
    expect(body).toMatchObject({ status: 'available', duration: 90, size: expect.any(Number) })
    expect(body.size).toBeGreaterThan(10_000)
  })
})
