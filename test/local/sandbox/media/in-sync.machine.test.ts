import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { frameAt, SAMPLES_PER_SECOND } from '../../../../local/sandbox/media/timebase.ts'
import { beepOnsets } from '../../../support/media/beeps.ts'
import { findCells, flashOnsets, readCellTimecode } from '../../../support/media/cells.ts'
import { decodeAudio, decodePictures } from '../../../support/media/decode.ts'
import { startRtmpServer } from '../../../support/rtmp/rtmp-server.ts'
import { readZip } from '../../../support/zip.ts'
import { openMedia, START, stream } from './open-media.ts'

const MINUTES = 10
/** Seconds of the archive at which measurements of `MEASURED_SECONDS` seconds begin. */
const LOOKS = { start: 1, middle: 300, end: 597 } as const
const MEASURED_SECONDS = 2
/** Imperceptible difference in seconds. */
const TOLERANCE = 0.04
const SIZE = { width: 320, height: 240 }
const FIRST = frameAt(START) % 2 ** 24

it('pictures and audio of every output agree at the start, in the middle and at the end of ten minutes', async () => {
  const { media, clock, directory, ffmpegPath } = await openMedia()
  media.publish(stream('a'))
  const spec = {
    sessionId: 'session',
    resolution: '320x240',
    layout: { type: 'bestFit' },
    hasAudio: true,
    hasVideo: true,
  } as const
  const composed = await media.startArchive({ ...spec, id: 'composed' })
  const individual = await media.startIndividualArchive({ ...spec, id: 'individual', createdAt: START })
  const server = await startRtmpServer()
  onTestFinished(() => server.close())
  const rtmp = [{ id: 'server', serverUrl: server.url, streamName: 'key' }]
  const hls = { dvr: false, lowLatency: false }
  const broadcast = await media.startBroadcast({ ...spec, id: 'broadcast', hls, rtmp })
  await expect.poll(() => server.publications.length).toBe(1) // so that it gets the first frame
  for (let second = 0; second < 60 * MINUTES; second++) {
    await clock.advance(1_000)
    await media.caughtUp()
  }
  const [{ seconds }] = await Promise.all([composed.finish(), individual.finish(), broadcast.stop()])
  expect(seconds).toBe(60 * MINUTES)

  const webm = readZip(await readFile(join(directory, 'individual.zip'))).get('a.webm') ?? Buffer.of()
  await mkdir(join(directory, 'unpacked'))
  await writeFile(join(directory, 'unpacked', 'a.webm'), webm)
  await writeFile(join(directory, 'received.flv'), server.publications[0]?.flv() ?? '')
  const outputs = ['composed.mp4', join('unpacked', 'a.webm'), join('broadcast', 'index.m3u8'), 'received.flv']
  for (const output of outputs) {
    const path = join(directory, output)
    const audio = await decodeAudio(ffmpegPath, path)
    expect(Math.abs(audio.length / SAMPLES_PER_SECOND - seconds), output).toBeLessThan(0.1)
    for (const [when, from] of Object.entries(LOOKS)) {
      const pictures = await decodePictures(ffmpegPath, path, { ...SIZE, from, seconds: MEASURED_SECONDS })
      const cell = findCells(pictures[0] as never).get(0)
      const frame = (readCellTimecode(pictures[0] as never, cell as never) ?? 0) - FIRST
      expect(Math.abs(frame / 30 - from), `${when} of ${output}`).toBeLessThan(TOLERANCE)
      const flashes = flashOnsets(pictures, 0).map((index) => from + index / 30)
      const heard = audio.subarray(from * SAMPLES_PER_SECOND, (from + MEASURED_SECONDS) * SAMPLES_PER_SECOND)
      const beeps = beepOnsets(heard, 0).map((second) => from + second)
      expect(flashes, `${when} of ${output}`).toEqual([from + 0.5, from + 1.5].map((at) => expect.closeTo(at, 1)))
      expect(beeps, `${when} of ${output}`).toHaveLength(2)
      for (const [index, flash] of flashes.entries())
        expect(Math.abs(flash - (beeps[index] as number)), `${when} of ${output}`).toBeLessThan(TOLERANCE)
    }
  }
})
