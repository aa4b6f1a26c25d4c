import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createSteppedClock, type SteppedClock } from '../../../../lib/clock.ts'
import { startFfmpeg } from '../../../../lib/media/ffmpeg/ffmpeg.ts'
import { findFfmpeg } from '../../../../lib/media/ffmpeg/find-ffmpeg.ts'
import { parseKept } from '../../../../lib/media/hls/live/kept-playlist.ts'
import { createMedia, type MediaEngine } from '../../../../local/sandbox/media/create-media.ts'
import type { Broadcaster, BroadcastSpec, RtmpTarget } from '../../../../local/sandbox/media/media.ts'
import { frameAt } from '../../../../local/sandbox/media/timebase.ts'
import { decodePictures } from '../../../support/media/decode.ts'
import { expectWhole, observe } from '../../../support/media/observe.ts'
import { freePort } from '../../../support/rtmp/free-port.ts'
import { type Manners, type RtmpServer, startRtmpServer } from '../../../support/rtmp/rtmp-server.ts'

const SIZE = { width: 640, height: 480 }
/** Half past a second, so that flashes are inside what is broadcast. */
const START = Date.UTC(2026, 0, 1, 12, 0, 0, 500)
const ffmpegPath = await findFfmpeg()

let directory: string
let clock: SteppedClock
let media: MediaEngine

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "showrunner 'broadcasts': [a|b] "))
  clock = createSteppedClock(START)
  media = await createMedia({ ffmpegPath, clock, directory })
  media.publish({
    ...{ sessionId: 'session', streamId: 'a', name: 'Ada', source: { type: 'pattern' } },
    ...{ hasAudio: true, hasVideo: true, videoType: 'camera', layoutClasses: [] },
  })
})
afterEach(async () => {
  await media.close()
  await rm(directory, { recursive: true })
})

async function openServer(manners?: Manners) {
  const server = await startRtmpServer(manners)
  onTestFinished(() => server.close())
  return server
}

async function start(id: string, outputs: Pick<BroadcastSpec, 'hls' | 'rtmp'>) {
  const broadcaster = await media.startBroadcast({
    ...{ id, sessionId: 'session', resolution: '640x480', layout: { type: 'bestFit' } },
    ...outputs,
  })
  return { broadcaster, links: linksOf(broadcaster) }
}

function linksOf(broadcaster: Broadcaster): Record<string, string> {
  const links: Record<string, string> = {}
  broadcaster.onRtmp((id, link) => {
    links[id] = link
  })
  return links
}

const target = (id: string, serverUrl: string): RtmpTarget => ({ id, serverUrl, streamName: `key of ${id}` })

/** Long enough for a machine that has other things to do. */

/** Waits until the servers have been asked for a stream, and then lets time pass until key frames have reached them. */
async function untilLinked(
  servers: readonly RtmpServer[],
  links: Record<string, string>,
  expected: Record<string, string>,
) {
  await expect.poll(() => servers.every(({ publications }) => publications.length > 0)).toBe(true)
  await expect
    .poll(async () => {
      await clock.advance(500)
      await media.caughtUp()
      return links
    })
    .toEqual(expected)
}

describe('createBroadcasts', () => {
  it('sends the same pictures and audio, in sync, to RTMP servers and to the playlist', async () => {
    const [one, two] = [await openServer(), await openServer()]
    const rtmp = [target('one', one.url), target('two', two.url), target('lost', 'rtmp://nowhere.invalid/live')]
    const { broadcaster, links } = await start('both', { hls: { dvr: true, lowLatency: false }, rtmp })
    await untilLinked([one, two], links, { one: 'live', two: 'live', lost: 'offline' })
    await clock.advance(4_000)
    await broadcaster.stop()

    expect(one.publications).toMatchObject([{ app: 'live', streamName: 'key of one', isOver: true }])
    for (const [index, server] of [one, two].entries()) {
      const path = join(directory, `received-${index}.flv`)
      await writeFile(path, server.publications[0]?.flv() ?? '')
      const seen = await observe(ffmpegPath, path)
      expectWhole(seen)
      expect(seen.codes.at(-1)).toBe((frameAt(clock.now()) - 1) % 2 ** 24)
    }
    const playlist = join(directory, 'both', 'index.m3u8')
    expect(await readFile(playlist, 'utf8')).toContain('#EXT-X-ENDLIST')
    const seen = await observe(ffmpegPath, playlist)
    expectWhole(seen)
    expect(seen.codes[0]).toBe(frameAt(START) % 2 ** 24)
    await expectEachSegmentToDecode(join(directory, 'both'), playlist)
  })

  it('needs no playlist', async () => {
    const server = await openServer()
    const { broadcaster, links } = await start('alone', { rtmp: [target('a', server.url)] })
    await untilLinked([server], links, { a: 'live' })
    expect(await broadcaster.playlist()).toBeUndefined()
    expect(broadcaster.directory).toBeUndefined()
    await clock.advance(3_000)
    await broadcaster.stop()
    const path = join(directory, 'received.flv')
    await writeFile(path, server.publications[0]?.flv() ?? '')
    expectWhole(await observe(ffmpegPath, path))
  })

  it('continues with its playlist when all servers fail', async () => {
    const [dropped, slow] = [await openServer(), await openServer({ stopsReading: true })]
    const rtmp = [target('dropped', dropped.url), target('slow', slow.url)]
    const { broadcaster, links } = await start('steady', { hls: { dvr: true, lowLatency: false }, rtmp })
    await untilLinked([dropped, slow], links, { dropped: 'live', slow: 'live' })
    dropped.drop()
    await untilLinked([dropped, slow], links, { dropped: 'offline', slow: 'live' })
    await clock.advance(3_000)
    await broadcaster.stop()
    const seen = await observe(ffmpegPath, join(directory, 'steady', 'index.m3u8'))
    expectWhole(seen)
    expect(seen.codes).toHaveLength(frameAt(clock.now()) - frameAt(START))
  })

  it('publishes to ffmpeg as a server', async () => {
    const port = await freePort()
    const path = join(directory, 'listened.flv')
    const { ended } = startFfmpeg(ffmpegPath, [
      '-listen',
      '1',
      '-protocol_whitelist',
      'rtmp,tcp',
      '-i',
      `rtmp://127.0.0.1:${port}/live/key`,
      '-c',
      'copy',
      path,
    ])
    for (let attempt = 1; ; attempt++) {
      const rtmp = [{ id: 'a', serverUrl: `rtmp://127.0.0.1:${port}/live`, streamName: 'key' }]
      const { broadcaster, links } = await start(`attempt-${attempt}`, { rtmp })
      await expect
        .poll(async () => {
          await clock.advance(100)
          return links.a
        })
        .toMatch(/live|offline/)
      if (links.a === 'live') await clock.advance(4_000)
      await broadcaster.stop()
      if (links.a === 'live') break // else it was not listening yet
    }
    await ended
    expectWhole(await observe(ffmpegPath, path))
  })

  it('lists parts of ten frames for low latency, and none otherwise', async () => {
    for (const lowLatency of [true, false]) {
      const { broadcaster } = await start(`broadcast-${lowLatency}`, { hls: { dvr: false, lowLatency } })
      await clock.advance(5_000)
      await broadcaster.stop()
      const text = (await broadcaster.playlist()) ?? ''
      expect(text.match(/(?<=#EXTINF:)[\d.]+/g)?.map(Number)).toEqual([2, 2, 1])
      const parts = [...text.matchAll(/#EXT-X-PART:DURATION=([\d.]+),URI="[^"]+"(,INDEPENDENT=YES)?/g)]
      expect(parts.map(([, duration]) => duration)).toEqual(Array(lowLatency ? 15 : 0).fill('0.33333'))
      expect(parts.flatMap(([, , isKey], index) => (isKey ? [index] : []))).toEqual(lowLatency ? [0, 6, 12] : [])
    }
  })

  it('leaves no connection behind when it is closed or its encoder cannot start', async () => {
    const server = await openServer()
    const { links } = await start('closed', { rtmp: [target('a', server.url)] })
    await untilLinked([server], links, { a: 'live' })
    await media.close()
    expect(links).toEqual({ a: 'live' })
    media = await createMedia({ ffmpegPath: join(directory, 'none'), clock, directory })
    await expect(start('none', { rtmp: [target('a', server.url)] })).rejects.toMatchObject({ name: 'MediaError' })
    await expect.poll(() => server.connections()).toBe(0)
  })
})

/** Decodes each segment separately, as a player that begins there. */
async function expectEachSegmentToDecode(folder: string, playlist: string) {
  const init = await readFile(join(folder, 'init.mp4'))
  const kept = parseKept(await readFile(playlist, 'utf8'))
  expect(kept.length).toBeGreaterThan(1)
  for (const { file, offset, size, duration } of kept) {
    const media = (await readFile(join(folder, file))).subarray(offset, offset + size)
    const path = join(directory, 'segment.mp4')
    await writeFile(path, Buffer.concat([init, media]))
    expect((await decodePictures(ffmpegPath, path, SIZE)).length).toBe(Math.round(duration * 30))
  }
}
