import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findFfmpeg } from '../../../../lib/media/ffmpeg/find-ffmpeg.ts'
import { createMedia } from '../../../../local/sandbox/media/create-media.ts'
import { beepOnsets } from '../../../support/media/beeps.ts'
import { findCells } from '../../../support/media/cells.ts'
import { decodeAudio, decodePictures } from '../../../support/media/decode.ts'
import { openRoom } from './open-room.ts'

const SIZE = { width: 320, height: 240 }
/** In the order of publishing, which determines colours and tones. */
const [ADA, BOB, CLEO, DAN, EVE] = [0, 1, 2, 3, 4] as const

it('moderation applies to archive and broadcast from its frame', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sandbox-moderation-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const ffmpegPath = await findFfmpeg()
  const {
    call,
    clock,
    join: enter,
    sessionId,
  } = await openRoom({
    media: (clock) => createMedia({ ffmpegPath, clock, directory }),
  })
  const publish = async () => {
    const participant = await enter()
    return { ...participant, stream: await participant.publish() }
  }
  const [ada, bob] = [await publish(), await publish()]
  await publish()
  const archiveId = (await call('startArchive', { sessionId })).body.id
  const broadcastId = (await call('startBroadcast', { sessionId, outputs: { hls: {} } })).body.id

  await clock.advance(1_500)
  await call('muteStream', { sessionId, streamId: ada.stream.id })
  await ada.setVideo(ada.stream.id, false)
  await clock.advance(1_000) // 2.5 s
  await ada.setVideo(ada.stream.id, true)
  await call('muteSession', { sessionId, active: true, excludedStreamIds: [bob.stream.id] })
  const dan = await publish()
  await clock.advance(1_000) // 3.5 s
  await dan.setAudio(dan.stream.id, true)
  await clock.advance(1_000) // 4.5 s
  await call('muteSession', { sessionId, active: false })
  await publish()
  await clock.advance(1_000) // 5.5 s
  await call('forceDisconnect', { sessionId, connectionId: bob.connectionId })
  await clock.advance(1_500) // 7 s
  await call('stopBroadcast', { broadcastId })
  await call('stopArchive', { archiveId })
  await clock.advance(0)

  const { url } = (await call('getArchive', { archiveId })).body
  const archive = join(directory, 'downloaded.mp4')
  await writeFile(archive, Buffer.from(await (await fetch(url)).arrayBuffer()))
  for (const path of [archive, join(directory, broadcastId, 'index.m3u8')]) {
    const audio = await decodeAudio(ffmpegPath, path)
    /** Once each: where others beep as well, a tone may be found twice in one beep. */
    const beeps = (place: number) => [...new Set(beepOnsets(audio, place).map(Math.round))]
    expect(beeps(ADA)).toEqual([0, 1])
    expect(beeps(BOB)).toEqual([0, 1, 2, 3, 4, 5]) // excluded, then disconnected
    expect(beeps(CLEO)).toEqual([0, 1, 2]) // no less muted when the session is not any more
    expect(beeps(DAN)).toEqual([4, 5, 6]) // published into a muted session
    expect(beeps(EVE)).toEqual([5, 6])
    // Whole: older ffmpeg does not seek to the frame in a playlist.
    const cells = (await decodePictures(ffmpegPath, path, SIZE)).map((picture) => findCells(picture))
    const withoutAda = cells.flatMap((found, frame) => (found.has(ADA) ? [] : [frame]))
    expect(Math.abs((withoutAda[0] ?? 0) - 1.5 * 30)).toBeLessThanOrEqual(1)
    expect(Math.abs((withoutAda.at(-1) ?? 0) + 1 - 2.5 * 30)).toBeLessThanOrEqual(1)
    expect(withoutAda).toHaveLength(30)
    expect(cells[60]?.get(BOB)).toEqual(cells[30]?.get(BOB)) // the name takes her place
    const shows = cells.map((found) => found.has(BOB))
    expect(shows.lastIndexOf(true)).toBe(shows.indexOf(false) - 1)
    expect(Math.abs(shows.indexOf(false) - 5.5 * 30)).toBeLessThanOrEqual(1)
  }
})
