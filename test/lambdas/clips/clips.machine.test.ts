import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { handler as watch } from '../../../lambdas/watch/watch.ts'
import { planPieces } from '../../../lib/media/hls/pieces.ts'
import { withUris } from '../../../lib/media/hls/playlists/uris.ts'
import { keys } from '../../../lib/show/state/keys.ts'
import type { Picture } from '../../../local/sandbox/media/composing/picture.ts'
import { inMemory, useClips } from '../../lib/media/clips.ts'
import { decodeEveryFrame, decodeTimedAudio } from '../../lib/media/joining/decode-joined.ts'
import { recordStretches } from '../../lib/media/joining/rolled-over.ts'
import { beepOnsets } from '../../support/media/beeps.ts'
import { readCellTimecode } from '../../support/media/cells.ts'
import { invoke, openWorld, START_TIME, type World, webinar } from '../../support/world.ts'
import { call } from '../api/call.ts'
import { run } from '../run.ts'
import { fetchObject } from '../stored-archives.ts'

const encoding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '0', '-g', '60', '-pix_fmt', 'yuv420p']
const FRAMES = 480
const archiveId = 'b40ef09b-3811-4726-b508-e41a0f96c68f'
const codeOf = (picture?: Picture) =>
  (picture && readCellTimecode(picture, { x: 0, y: 0, width: 320, height: 240 })) ?? Number.NaN

const clips = useClips()
let movie: Buffer
let start: number
let world: World
beforeAll(async () => {
  const [path = ''] = await recordStretches(clips, [{ name: 'talk.mp4', from: 0, until: FRAMES }], encoding)
  movie = await readFile(path)
  start = codeOf((await decodeEveryFrame(clips.ffmpegPath, path)).frames[0])
})
beforeEach(async () => {
  world = openWorld({ FFMPEG_PATH: clips.ffmpegPath })
  await world.accept({ ...webinar, callback: { url: 'https://app.example.com/events' } }, 'a-show')
  await publish()
})
afterEach(() => world.close())

/** Does what the publish machine does for HLS. */
async function publish() {
  const { storage, records } = world.services
  const key = keys.archive('1', archiveId)
  await storage.put(key, movie, 'video/mp4')
  const source = { key, etag: createHash('md5').update(movie).digest('hex') }
  const arrival = { bucket: 'media', ...source, archiveId, keepDays: null }
  const pieces = await planPieces(inMemory(movie), { seconds: 8 })
  let hls = ''
  for (const piece of pieces) hls = (await run(world, 'cutPiece', { ...arrival, piece })).edition
  const facts = {
    duration: FRAMES / 30,
    video: { codec: 'h264', width: 320, height: 240, frameRate: 30 },
    audio: { codec: 'aac', sampleRate: 48_000, channels: 1 },
  }
  const all = { ...arrival, facts, pieces: pieces.length, editions: { hls, renditions: null } }
  const { files } = await run(world, 'writePlaylists', all)
  const show = { showId: 'a-show', name: 'program', part: 1 }
  const about = { version: 1, archiveId, createdAt: START_TIME, show, status: 'complete', access: 'signed' } as const
  const document = { ...about, ...facts, source: { ...source, size: movie.length, sha256: null }, files }
  await records.writeManifest(document, async () => true)
}

const create = async (from: number, to: number) =>
  (await call(world, `POST /recordings/${archiveId}/clips`, { body: { name: 'Demo', from, to } })).body
/** Does what the publish machine does with a clip. */
async function cut({ clipId }: { clipId: string }) {
  const made = await run(world, 'cutClip', { archiveId, clipId })
  await run(world, 'publishClip', { archiveId, clipId, ...made })
  return (await call(world, `GET /recordings/${archiveId}/clips/${clipId}`)).body
}
const shownIn = async (path: string) => {
  const { frames, times } = await decodeEveryFrame(clips.ffmpegPath, path)
  return { codes: frames.map((picture) => codeOf(picture) - start), times }
}

/** Stores the playlists and the files behind a link as a player would fetch them, and returns the path of the first. */
async function download(address: string): Promise<string> {
  const { pathname, searchParams } = new URL(address, 'https://api.example.com')
  const [, , , , clipId = ''] = pathname.split('/')
  const { body } = (await invoke(watch, world.services, {
    ...{ version: '2.0', rawPath: pathname, headers: {}, pathParameters: { archiveId, clipId } },
    queryStringParameters: Object.fromEntries(searchParams),
    requestContext: { domainName: 'api.example.com', http: { method: 'GET', path: pathname } },
  })) as { body: string }
  const uris = new Map<string, string>()
  withUris(body, (uri) => {
    uris.set(uri, '')
    return uri
  })
  for (const uri of uris.keys()) {
    if (uri.startsWith('/watch/')) uris.set(uri, await download(uri))
    else {
      const { pathname: file } = new URL(uri)
      const path = join(clips.directory, file.slice(1).replaceAll('/', '_'))
      await writeFile(path, Buffer.from(await (await world.openLink(uri)).arrayBuffer()))
      uris.set(uri, path)
    }
  }
  const path = join(clips.directory, `${(searchParams.get('file') ?? '').replaceAll('/', '_')}`)
  await writeFile(
    path,
    withUris(body, (uri) => uris.get(uri) ?? uri),
  )
  return path
}

describe('a clip', () => {
  it('plays by HLS at once, from the segments around it', async () => {
    const { hls, status } = await create(7, 11)
    expect(status).toBe('cutting')
    const { codes } = await shownIn(await download(hls.url))
    expect([codes[0], codes.at(-1)]).toEqual([180, 479])
  })

  it('becomes an MP4 from its first to its last frame, in sync, of which the owner is notified', async () => {
    const clip = await cut(await create(71 / 30, 317 / 30))
    expect(clip).toMatchObject({ status: 'published', file: { size: expect.any(Number) } })
    const path = join(clips.directory, 'clip.mp4')
    await writeFile(path, await fetchObject(world, clip.file.key))
    const { codes } = await shownIn(path)
    expect([codes[0], codes.at(-1), codes.length]).toEqual([71, 316, 246])
    const beeps = beepOnsets(await decodeTimedAudio(clips.ffmpegPath, path), 0)
    expect(beeps.map((at) => Math.round((at + 71 / 30) * 20) / 20)).toEqual([3, 4, 5, 6, 7, 8, 9, 10])
    expect(world.ownerEvents.map(({ detail }) => detail)).toMatchObject([
      { event: 'clip.published', showId: 'a-show', archiveId, clipId: clip.clipId, status: 'published' },
    ])
  })

  it('that was deleted meanwhile is not published', async () => {
    const { clipId } = await create(1, 2)
    const made = await run(world, 'cutClip', { archiveId, clipId })
    await world.services.storage.deleteAll(keys.published(archiveId, 'clips', clipId, ''))
    expect(await run(world, 'publishClip', { archiveId, clipId, ...made })).toEqual({ clipId, status: 'deleted' })
    expect(await run(world, 'cutClip', { archiveId, clipId })).toEqual({ file: null })
  })

  it('has a problem instead of an MP4 where segments are damaged', async () => {
    const files = (await world.services.records.readManifest(archiveId))?.files ?? []
    for (const { key } of files.filter((one) => /video-\d+\.mp4$/.test(one.key)))
      await world.services.storage.put(key, Buffer.alloc(1_000_000), 'video/mp4')
    expect(await cut(await create(1, 2))).toMatchObject({ status: 'failed', problem: expect.stringMatching(/\.$/) })
  })
})
