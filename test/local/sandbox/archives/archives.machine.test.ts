import { describe, expect, it, vi } from 'vitest'
import type * as Limits from '../../../../lib/platform/contract/limits.ts'
import { beepOnsets } from '../../../support/media/beeps.ts'
import { openWithMedia } from '../open-with-media.ts'

const SECOND = 1_000

/** Four hours of pictures would take minutes to make. Here an archive reaches its limit after as many seconds. */
vi.mock('../../../../lib/platform/contract/limits.ts', async (original) => {
  const { limits, ...rest } = await original<typeof Limits>()
  return { ...rest, limits: { ...limits, archiveDuration: { ...limits.archiveDuration, value: 4 } } }
})

/** Returns the frames from one second of the clock to another. */
const between = (start: number, end: number) =>
  Array.from({ length: 30 * (end - start) }, (_, frame) => 30 * start + frame)

describe('createArchives', () => {
  it('leaves out the time without published streams: no frozen picture, no black one, no silence', async () => {
    const { call, clock, createSession, join, download } = await openWithMedia()
    const sessionId = await createSession()
    const watcher = await join(sessionId, { publish: false })
    const ada = await join(sessionId)
    const { body } = await call('startArchive', { sessionId })
    await clock.advance(2 * SECOND)
    await ada.leave()
    await clock.advance(3_500 * SECOND)
    const bela = await join(sessionId)
    await clock.advance(SECOND)
    await bela.leave()
    await watcher.leave()
    await clock.advance(60 * SECOND)
    const { archive, frames, audio } = await download(body.id)
    expect(archive).toMatchObject({ status: 'available', reason: 'session ended', duration: 3 })
    expect(await frames()).toEqual([...between(0, 2), ...between(3_502, 3_503)])
    expect(beepOnsets(await audio(), 0)).toEqual([0.5, 1.5, 2.5].map((second) => expect.closeTo(second, 2)))
  })
})

describe('subscribeAutomaticArchives', () => {
  it('begins each file with the frame after the last one of the file before', async () => {
    const { call, clock, createSession, join, download } = await openWithMedia()
    const sessionId = await createSession({ archiveMode: 'always' })
    const ada = await join(sessionId)
    await clock.advance(10 * SECOND)
    await ada.leave()
    await clock.advance(60 * SECOND)
    const { items } = (await call('listArchives', { sessionId })).body
    const files = await Promise.all(items.reverse().map(({ id }: { id: string }) => download(id)))
    expect(files.map(({ archive }) => [archive.duration, archive.reason])).toEqual([
      [4, 'maximum duration exceeded'],
      [4, 'maximum duration exceeded'],
      [2, 'session ended'],
    ])
    expect(await Promise.all(files.map(({ frames }) => frames()))).toEqual([
      between(0, 4),
      between(4, 8),
      between(8, 10),
    ])
    const beeps = await Promise.all(files.map(async ({ audio }) => beepOnsets(await audio(), 0).length))
    expect(beeps).toEqual([4, 4, 2])
  })
})
