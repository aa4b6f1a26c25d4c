import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeAll, beforeEach } from 'vitest'
import { planPieces } from '../../../lib/media/hls/pieces.ts'
import type { FileRole } from '../../../lib/publish/manifest/manifest.ts'
import { keys } from '../../../lib/show/state/keys.ts'
import { inMemory, useClips } from '../../lib/media/clips.ts'
import { decodeEveryFrame } from '../../lib/media/joining/decode-joined.ts'
import { recordStretches } from '../../lib/media/joining/rolled-over.ts'
import { readCellTimecode } from '../../support/media/cells.ts'
import { openWorld, type World, webinar } from '../../support/world.ts'
import { run } from '../run.ts'
import { fetchObject } from '../stored-archives.ts'

const encoding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '0', '-g', '60', '-pix_fmt', 'yuv420p']
/** Frames a second. */
const RATE = 30
/** Frames of the first part. */
export const LEFT = 245
/** First frame of a second part that began while the first one ran. */
export const LATER = 50
/** Frames of both parts together. */
export const FRAMES = 260
export const IDS = ['11111111-0000-4000-8000-000000000000', '22222222-0000-4000-8000-000000000000'] as const
export const [FIRST, SECOND] = IDS
export const JOINED = `${FIRST}-joined`
export const CREATED = ['2026-11-20T08:00:00.000Z', '2026-11-20T08:00:02.200Z'] as const
/** Input of the task that joins both parts, with the overlap that they have. */
export const bothParts = { parts: [...IDS], overlaps: [{ shift: LATER / RATE, confidence: 1 }], message: null }

const facts = {
  video: { codec: 'h264', width: 320, height: 240, frameRate: RATE },
  audio: { codec: 'aac', sampleRate: 48_000, channels: 1 },
}
const ladder = [{ name: '120p', height: 120, maxVideoBitrate: 300_000 }]

/**
 * Registers the hooks of a test file that joins two parts of the recording `program` of `a-show`, in a world for each test.
 * @param second frames of the second part
 */
export function useParts(second = { from: LATER, until: FRAMES }) {
  const clips = useClips()
  let movies: Buffer[]
  let world: World
  beforeAll(async () => {
    const stretches = [
      { name: 'first.mp4', from: 0, until: LEFT },
      { name: 'second.mp4', ...second },
    ]
    movies = await Promise.all((await recordStretches(clips, stretches, encoding)).map((path) => readFile(path)))
  })
  beforeEach(async () => {
    world = openWorld({ FFMPEG_PATH: clips.ffmpegPath })
    await world.accept(webinar, 'a-show')
  })
  afterEach(() => world.close())

  return {
    get world() {
      return world
    },
    /** Notes in the show's state that both archives are the parts of its recording. */
    begin: () =>
      world.services.shows.update('a-show', (state) => ({
        ...state,
        recordings: IDS.map((archiveId, index) => ({
          ...{ name: 'program', part: index + 1, tag: `a-show/program/${index + 1}` },
          ...{ archiveId, createdAt: CREATED[index] },
        })),
      })),
    /** Does the work of the publish machine on a part for HLS. */
    async publish(
      part: 0 | 1,
      { keepDays = null as number | null, smaller = false, chapters = '', showId = 'a-show' } = {},
    ) {
      const [archiveId, movie] = [IDS[part], movies[part] as Buffer]
      const { storage, records } = world.services
      const key = keys.archive('1', archiveId)
      await storage.put(key, movie, 'video/mp4')
      const arrival = { bucket: 'media', key, etag: createHash('md5').update(movie).digest('hex'), archiveId, keepDays }
      const pieces = await planPieces(inMemory(movie), { seconds: 8 })
      const editions = { hls: '', renditions: null as string | null }
      for (const piece of pieces) {
        editions.hls = (await run(world, 'cutPiece', { ...arrival, piece })).edition
        const input = { ...arrival, piece, picture: { width: 320, height: 240 }, ladder }
        if (smaller) editions.renditions = (await run(world, 'encodePiece', input)).edition
      }
      const duration = (part === 0 ? LEFT : second.until - second.from) / RATE
      const all = { ...arrival, facts: { ...facts, duration }, pieces: pieces.length, editions }
      const { files } = await run(world, 'writePlaylists', all)
      const listed = (role: FileRole, key: string) => ({ role, key, size: 1, sha256: null })
      const chaptersKey = keys.published(archiveId, 'chapters', 'edition', 'chapters.vtt')
      if (chapters) await storage.put(chaptersKey, chapters, 'text/vtt')
      await records.writeManifest(
        {
          ...{ version: 1, archiveId, createdAt: CREATED[part], show: { showId, name: 'program', part: part + 1 } },
          publications: [{ executionName: 'one', status: 'complete', at: new Date(0).toISOString() }],
          ...{ status: 'complete', access: 'signed', ...(keepDays && { keepDays }), ...facts, duration },
          source: { key, etag: arrival.etag, size: movie.length, sha256: null },
          files: [
            listed('poster', `recordings/${archiveId}/poster.jpg`),
            ...(chapters ? [listed('chapters', chaptersKey)] : []),
            ...files,
          ],
        },
        async () => true,
      )
    },
    /** Does the work of the publish machine once a part is complete. */
    async joinFrom(archiveId: string) {
      const { parts, pairs, message } = await run(world, 'findParts', { archiveId })
      const overlaps = []
      for (const pair of pairs) overlaps.push(await run(world, 'findOverlap', pair))
      return { pairs, overlaps, ...(await run(world, 'joinParts', { parts, overlaps, message })) }
    },
    /** Reads the manifest of the joined recording. */
    manifest: () => world.services.records.readManifest(JOINED),
    /** Fetches published files, and stores them under their keys for {@link decode}. Posters do not exist. */
    async fetchAll(files: readonly { readonly key: string; readonly role: string }[]): Promise<Map<string, Buffer>> {
      const found = new Map<string, Buffer>()
      for (const { key } of files.filter(({ role }) => role !== 'poster')) {
        const bytes = await fetchObject(world, key)
        found.set(key, bytes)
        await mkdir(dirname(join(clips.directory, key)), { recursive: true })
        await writeFile(join(clips.directory, key), bytes)
      }
      return found
    },
    /** Decodes a fetched playlist. Returns the recorded number of each frame, counted from the first one, and its time. */
    async decode(key: string) {
      const { frames, times } = await decodeEveryFrame(clips.ffmpegPath, join(clips.directory, key))
      const shown = frames.map((picture) => readCellTimecode(picture, { x: 0, y: 0, width: 320, height: 240 }) ?? 0)
      return { shown: shown.map((frame) => frame - (shown[0] ?? 0)), times }
    },
  }
}
