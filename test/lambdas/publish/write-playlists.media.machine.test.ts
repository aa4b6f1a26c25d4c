import { readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { planPieces } from '../../../lib/media/hls/pieces.ts'
import { withUris } from '../../../lib/media/hls/playlists/uris.ts'
import type { mediaFacts } from '../../../lib/publish/manifest/manifest.ts'
import { aac, h264, inMemory, picture, tone, useClips } from '../../lib/media/clips.ts'
import { expectValidPlaylists } from '../../support/hls/read-presentation.ts'
import { openWorld, type World } from '../../support/world.ts'
import { run } from '../run.ts'
import { digestOf, fetchObject, storeArchive } from '../stored-archives.ts'

const clips = useClips()
let movie: Buffer
let world: World
beforeAll(async () => {
  movie = await readFile(await clips.make('movie.mp4', ...picture(14), ...tone(14), ...h264, ...aac))
})
beforeEach(() => {
  world = openWorld({ FFMPEG_PATH: clips.ffmpegPath })
})
afterEach(() => world.close())

const facts = {
  duration: 14,
  video: { codec: 'h264', width: 320, height: 240, frameRate: 30 },
  audio: { codec: 'aac', sampleRate: 48_000, channels: 1 },
} satisfies typeof mediaFacts._output
const ladder = [
  { name: '120p', height: 120, maxVideoBitrate: 300_000 },
  { name: '480p', height: 480, maxVideoBitrate: 900_000 },
]

/** What the publish machine does of a recording for HLS. */
async function cutAll() {
  const arrival = await storeArchive(world, movie)
  const pieces = await planPieces(inMemory(movie), { seconds: 7 })
  const editions = []
  for (const piece of pieces) editions.push((await run(world, 'cutPiece', { ...arrival, piece })).edition)
  expect(new Set(editions).size).toBe(1)
  const cut = { ...arrival, facts, pieces: pieces.length }
  return { arrival, pieces, cut, hls: editions[0] ?? '' }
}

const editionsOut = (key: string) =>
  key
    .replaceAll(/\/[0-9a-f]{12}\//g, '/edition/')
    .split('/')
    .slice(2)
    .join('/')

describe('writePlaylists', () => {
  it('leads from the master playlist to every file that it lists, first by copy, then with smaller sizes', async () => {
    const { arrival, pieces, cut, hls } = await cutAll()
    const ready = await run(world, 'writePlaylists', { ...cut, editions: { hls, renditions: null } })
    expect(ready.files.map(({ role, key }) => `${role} ${editionsOut(key)}`)).toEqual([
      'hls-media hls/edition/video-init.mp4',
      'hls-media hls/edition/video-0.mp4',
      'hls-media hls/edition/video-1.mp4',
      'hls-media hls/edition/audio-init.mp4',
      'hls-media hls/edition/audio-0.mp4',
      'hls-media hls/edition/audio-1.mp4',
      'hls-media playlists/edition/video.m3u8',
      'hls-media playlists/edition/video-iframes.m3u8',
      'hls-media playlists/edition/audio.m3u8',
      'hls playlists/edition/master.m3u8',
    ])

    const renditions = []
    for (const piece of pieces) {
      const input = { ...arrival, piece, picture: { width: 320, height: 240 }, ladder }
      renditions.push((await run(world, 'encodePiece', input)).edition)
    }
    const editions = { hls, renditions: renditions[1] ?? '' }
    const complete = await run(world, 'writePlaylists', { ...cut, editions })
    expect(complete.files.length).toBe(ready.files.length + 3 + 2)
    expect(complete.files.at(-1)?.key).not.toBe(ready.files.at(-1)?.key)
    expect(await reached(complete.files.at(-1)?.key ?? '')).toEqual(new Set(complete.files.map(({ key }) => key)))
    for (const { key, size, sha256 } of complete.files) {
      expect({ size, sha256 }).toEqual(digestOf(await fetchObject(world, key)))
    }
    const folder = posix.dirname(complete.files.at(-1)?.key ?? '')
    const fetchPlaylist = async (uri: string) => String(await fetchObject(world, posix.join(folder, uri)))
    const master = await fetchPlaylist('master.m3u8')
    expect(await expectValidPlaylists(master, fetchPlaylist)).toBe(5)
    expect(master.match(/RESOLUTION=\d+x\d+,FRAME-RATE=30.000,AUDIO="audio"/g)).toEqual([
      'RESOLUTION=320x240,FRAME-RATE=30.000,AUDIO="audio"',
      'RESOLUTION=160x120,FRAME-RATE=30.000,AUDIO="audio"',
    ])
    expect(await run(world, 'writePlaylists', { ...cut, editions })).toEqual(complete)
  })

  it('refuses pieces that are not all there', async () => {
    const { cut, hls } = await cutAll()
    const more = { ...cut, pieces: cut.pieces + 1, editions: { hls, renditions: null } }
    await expect(run(world, 'writePlaylists', more)).rejects.toThrow(/\.json is missing\. Rebuild the recording/)
  })
})

/** Every key that playlists lead to, the first one's own included. */
async function reached(key: string, seen = new Set<string>()): Promise<Set<string>> {
  if (seen.has(key)) return seen
  seen.add(key)
  if (!key.endsWith('.m3u8')) return seen
  const named: string[] = []
  withUris(String(await fetchObject(world, key)), (uri) => {
    named.push(posix.join(posix.dirname(key), uri))
    return uri
  })
  for (const one of named) await reached(one, seen)
  return seen
}
