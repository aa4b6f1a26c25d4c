import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { runFfmpeg } from '../../lib/media/ffmpeg/ffmpeg.ts'
import type { Manifest } from '../../lib/publish/manifest/manifest.ts'
import { fetchObject } from '../lambdas/stored-archives.ts'
import { useClips } from '../lib/media/clips.ts'
import { EVERY_FORMAT } from '../support/media/corpus/arriving-file.ts'
import { audioAlone, type ClipMaker, openClipMaker, plain } from '../support/media/corpus/clip-maker.ts'
import { corpus } from '../support/media/corpus/corpus.ts'
import { damaged } from '../support/media/corpus/damage.ts'
import { decodePictures } from '../support/media/decode.ts'
import { publishIn } from '../support/publishing.ts'
import { openWorld, type World } from '../support/world.ts'

const archiveId = '00000000-0000-4000-8000-000000000000'
const UNKNOWN = 'The platform does not know this archive.'
/** Small enough that every clip is larger. */
const LADDER = JSON.stringify([{ name: '64p', height: 64, maxVideoBitrate: 100_000 }])

const clips = useClips()
let maker: ClipMaker
beforeAll(() => {
  maker = openClipMaker(clips.ffmpegPath, clips.directory)
})
let world: World
afterEach(() => world.close())

/** Returns the published formats. Renditions share playlists with the recording itself, so the folders of their media count. */
const formatsOf = (files: Manifest['files']) =>
  EVERY_FORMAT.filter((format) =>
    files.some(({ role, key }) =>
      role === 'hls-media' ? key.includes(`/${format}/`) : role === format && role !== 'hls',
    ),
  )

describe('the publish machine with its functions', () => {
  it.each(corpus)(
    'publishes what can be made of $name, and leaves the file as it is',
    async ({ make, mode, expect: expected }) => {
      world = openWorld({ FFMPEG_PATH: clips.ffmpegPath, LADDER })
      const bytes = await make(maker)
      const publishing = await publishIn(world)
      const arrival = await publishing.put(bytes, mode && { mode })
      const { status } = await publishing.over(publishing.start('arrival', arrival))

      const manifest = await world.services.records.readManifest(archiveId)
      expect(manifest?.status).toBe(expected.status)
      expect(status).toBe(expected.status === 'failed' ? 'FAILED' : 'SUCCEEDED')
      const message = manifest?.message?.replace(UNKNOWN, '').trim() ?? ''
      expect(message).toMatch(expected.message ?? /^$/)
      const whole = expected.status === 'complete' ? EVERY_FORMAT : []
      expect(formatsOf(manifest?.files ?? []).sort()).toEqual([...(expected.formats ?? whole)].sort())
      const source = await world.services.storage.open(arrival.key, arrival.etag)
      const kept = createHash('sha256')
        .update(await source.read(0, source.size))
        .digest('hex')
      expect(kept).toBe(createHash('sha256').update(bytes).digest('hex'))
      const sent = world.ownerEvents.map(({ detail }) => (detail as { status: string }).status)
      expect(sent.at(-1)).toBe(expected.status)
      // for the alarms
      const counted = (name: string) => publishing.lines.flatMap((line) => (name in line ? [line[name]] : [])).at(-1)
      expect(counted('PublishesFailed')).toBe(expected.status === 'failed' ? 1 : 0)
      expect(counted('PublishesIncomplete')).toBe(/^No /.test(message) ? 1 : 0)
    },
  )

  it('copies every packet of a damaged recording, and makes every format of which enough can be decoded', async () => {
    world = openWorld({ FFMPEG_PATH: clips.ffmpegPath, LADDER })
    const publishing = await publishIn(world)
    const bytes = await damaged(maker)
    await publishing.over(publishing.start('arrival', await publishing.put(bytes)))
    const { files = [], missing } = (await world.services.records.readManifest(archiveId)) ?? {}
    expect(missing?.map(({ format }) => format)).toEqual(['thumbnails'])

    const fetchOf = async (ending: RegExp) => {
      const found = files.filter(({ key }) => ending.test(key))
      return Buffer.concat(await Promise.all(found.map(({ key }) => fetchObject(world, key))))
    }
    const packets = async (file: Buffer, track: 'v' | 'a') => {
      const path = join(clips.directory, 'packets.mp4')
      await writeFile(path, file)
      const copy = ['-map', `0:${track}`, '-c', 'copy', '-f', 'md5', 'pipe:1']
      return String(await runFfmpeg(clips.ffmpegPath, ['-i', path, ...copy]))
    }
    const recorded = [await packets(bytes, 'v'), await packets(bytes, 'a')]
    const faststart = await fetchOf(/recording\.mp4$/)
    expect([await packets(faststart, 'v'), await packets(faststart, 'a')]).toEqual(recorded)
    const [picture, audio] = [await fetchOf(/\/hls\/\w+\/video-/), await fetchOf(/\/hls\/\w+\/audio-/)]
    expect([await packets(picture, 'v'), await packets(audio, 'a')]).toEqual(recorded)

    const { data } = JSON.parse(String(await fetchOf(/waveform\.json$/))) as { data: number[] }
    const loudest = (from: number, to: number) => Math.max(...data.slice(from * data.length, to * data.length))
    expect(Math.min(loudest(0, 0.2), loudest(0.8, 1))).toBeGreaterThan(5)
    const path = join(clips.directory, 'smaller.mp4')
    await writeFile(path, await fetchOf(/\/renditions\/\w+\/64p-/))
    const pictures = await decodePictures(clips.ffmpegPath, path, { width: 32, height: 24 })
    expect(pictures.length).toBeGreaterThan(4.9 * 30)
    expect(await fetchOf(/poster\.jpg$/)).not.toHaveLength(0)
  })

  it.each(['inspectRecording', 'hashSource', 'cutPiece', 'encodePiece', 'writeManifest'])(
    'leaves a file that replaces another one before %s to the next execution',
    async (task) => {
      world = openWorld({ FFMPEG_PATH: clips.ffmpegPath, LADDER })
      const [before, after] = [await plain(maker), await audioAlone(maker)]
      let isReplaced = false
      const publishing = await publishIn(world, {
        async around(called, act) {
          if (called === task && !isReplaced) {
            isReplaced = true
            await publishing.put(after)
          }
          return act()
        },
      })
      const former = publishing.start('former', await publishing.put(before))
      const { status, output } = await publishing.over(former)
      expect([status, isReplaced]).toEqual(['SUCCEEDED', true])
      expect(JSON.parse(output ?? '')).toMatchObject({ status: 'replaced' })
      expect(world.ownerEvents.filter(({ detail }) => (detail as { status: string }).status !== 'ready')).toEqual([])
      const latterFile = await publishing.put(after)
      const latter = publishing.start('latter', latterFile)
      expect(await publishing.over(latter)).toMatchObject({ status: 'SUCCEEDED' })
      const manifest = await world.services.records.readManifest(archiveId)
      // Pieces are encoded once the former file is published: then the latter, which no record speaks for, is withheld.
      const isPublished = task === 'encodePiece'
      const { size, ...rest } = isPublished
        ? { size: before.length, status: 'ready', withheld: { etag: latterFile.etag } }
        : { size: after.length, status: 'complete', video: null }
      expect(manifest).toMatchObject({ source: { size }, ...rest })
    },
  )
})
