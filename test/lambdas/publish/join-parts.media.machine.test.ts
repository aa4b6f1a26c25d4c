import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { planPieces } from '../../../lib/media/hls/pieces.ts'
import { withUris } from '../../../lib/media/hls/playlists/uris.ts'
import { deleteForGood } from '../../../lib/publish/deletion/delete-recording.ts'
import type { Manifest } from '../../../lib/publish/manifest/manifest.ts'
import { keys } from '../../../lib/show/state/keys.ts'
import { inMemory, useClips } from '../../lib/media/clips.ts'
import { decodeEveryFrame } from '../../lib/media/joining/decode-joined.ts'
import { recordStretches } from '../../lib/media/joining/rolled-over.ts'
import { expectValidPlaylists } from '../../support/hls/read-presentation.ts'
import { readCellTimecode } from '../../support/media/cells.ts'
import { isCall } from '../../support/world/interceptors.ts'
import { openWorld, type World, webinar } from '../../support/world.ts'
import { run } from '../run.ts'
import { digestOf, fetchObject } from '../stored-archives.ts'

const encoding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '0', '-g', '60', '-pix_fmt', 'yuv420p']
const LATER = 50
const LEFT = 245
const FRAMES = 260
/** Frames of the stretch that is recorded after a pause. */
const RESUMED = { from: 320, until: 400 }
const IDS = ['11111111-0000-4000-8000-000000000000', '22222222-0000-4000-8000-000000000000'] as const
const [FIRST, SECOND] = IDS
const JOINED = `${FIRST}-joined`
const CREATED = ['2026-11-20T08:00:00.000Z', '2026-11-20T08:00:02.200Z'] as const
const facts = {
  video: { codec: 'h264', width: 320, height: 240, frameRate: 30 },
  audio: { codec: 'aac', sampleRate: 48_000, channels: 1 },
}
const ladder = [{ name: '120p', height: 120, maxVideoBitrate: 300_000 }]

const clips = useClips()
let movies: Buffer[]
let world: World
beforeAll(async () => {
  const stretches = [
    { name: 'first.mp4', from: 0, until: LEFT },
    { name: 'second.mp4', from: LATER, until: FRAMES },
    { name: 'resumed.mp4', ...RESUMED },
  ]
  movies = await Promise.all((await recordStretches(clips, stretches, encoding)).map((path) => readFile(path)))
})
beforeEach(async () => {
  world = openWorld({ FFMPEG_PATH: clips.ffmpegPath })
  await world.accept(webinar, 'a-show')
})
afterEach(() => world.close())

/** Notes in the show's state that these archives are the parts of its recording. */
const begin = (archiveIds: readonly (string | undefined)[]) =>
  world.services.shows.update('a-show', (state) => ({
    ...state,
    recordings: archiveIds.map((archiveId, index) => ({
      ...{ name: 'program', part: index + 1, tag: `a-show/program/${index + 1}` },
      ...(archiveId && { archiveId, createdAt: CREATED[index] ?? CREATED[1] }),
    })),
  }))

/** Does what the publish machine does of a part for HLS. */
async function publish(
  part: 0 | 1,
  { keepDays = null as number | null, smaller = false, chapters = '', showId = 'a-show', isResumed = false } = {},
) {
  const [archiveId, movie] = [IDS[part], movies[isResumed ? 2 : part] as Buffer]
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
  const { from, until } = isResumed ? RESUMED : { from: LATER, until: FRAMES }
  const duration = part === 0 ? LEFT / 30 : (until - from) / 30
  const all = { ...arrival, facts: { ...facts, duration }, pieces: pieces.length, editions }
  const { files } = await run(world, 'writePlaylists', all)
  const chaptersKey = keys.published(archiveId, 'chapters', 'edition', 'chapters.vtt')
  if (chapters) await storage.put(chaptersKey, chapters, 'text/vtt')
  const made = [{ role: 'poster' as const, key: `recordings/${archiveId}/poster.jpg`, size: 1, sha256: null }]
  await records.writeManifest(
    {
      ...{
        version: 1,
        archiveId,
        createdAt: CREATED[part],
        show: { showId, name: 'program', part: part + 1 },
      },
      publications: [{ executionName: 'one', status: 'complete', at: new Date(0).toISOString() }],
      ...{ status: 'complete', access: 'signed', ...(keepDays && { keepDays }), ...facts, duration },
      source: { key, etag: arrival.etag, size: movie.length, sha256: null },
      files: [
        ...made,
        ...(chapters ? [{ role: 'chapters' as const, key: chaptersKey, size: 1, sha256: null }] : []),
        ...files,
      ],
    },
    async () => true,
  )
}

/** Does what the machine does once a part is complete. */
async function joinFrom(archiveId: string) {
  const { parts, pairs, message } = await run(world, 'findParts', { archiveId })
  const overlaps = []
  for (const pair of pairs) overlaps.push(await run(world, 'findOverlap', pair))
  return { pairs, overlaps, ...(await run(world, 'joinParts', { parts, overlaps, message })) }
}

const manifest = () => world.services.records.readManifest(JOINED)

describe('joinParts', () => {
  it('publishes two parts as one, in all renditions, from their own files', async () => {
    await begin(IDS)
    const vtt = 'WEBVTT\n\n00:00:00.000 --> 00:00:06.500\nChapter 1\n\n00:00:06.500 --> 00:00:07.000\nChapter 2\n'
    await publish(0, { smaller: true })
    await publish(1, { smaller: true, chapters: vtt })
    const { pairs, overlaps, joined, message } = await joinFrom(SECOND)
    expect(pairs).toEqual([{ earlier: FIRST, later: SECOND, expected: [2.2] }])
    expect(overlaps).toEqual([{ shift: expect.closeTo(LATER / 30, 2), confidence: expect.any(Number) }])
    expect({ joined, message }).toEqual({
      joined: { archiveId: JOINED, parts: [...IDS], duration: expect.closeTo(FRAMES / 30, 2) },
      message: null,
    })

    const found = await manifest()
    expect(found).toMatchObject({ status: 'complete', parts: [...IDS], createdAt: CREATED[0], show: { part: 1 } })
    expect(found?.publications).toBeUndefined()
    const files = found?.files ?? []
    expect(files[0]?.key).toBe(`recordings/${FIRST}/poster.jpg`)
    expect(
      files.filter(({ key }) => key.startsWith(`recordings/${JOINED}/`)).map(({ key }) => posix.basename(key)),
    ).toEqual(
      expect.arrayContaining([
        'chapters.vtt',
        'video.m3u8',
        '120p.m3u8',
        'audio.m3u8',
        'master.m3u8',
        '120p-seam-0-0.mp4',
      ]),
    )
    const copies = files.filter(({ key }) => key.startsWith(`recordings/${JOINED}/copies/${SECOND}/`))
    expect(copies.map(({ key }) => posix.basename(key).split('-')[0])).toEqual(['video', '120p'])
    expect(String(await fetchObject(world, files[1]?.key ?? ''))).toContain('00:00:08.167 --> 00:00:08.667\nChapter 2')
    expect((await world.services.records.listRecordings({ limit: 9 })).items).toContain(JOINED)

    const bytes = await fetchAll(files)
    for (const { key, size, sha256 } of files.slice(2))
      expect({ size, sha256 }).toEqual(digestOf(bytes.get(key) as Buffer))
    const listed = new Set(files.map(({ key }) => key))
    for (const [key, content] of bytes)
      if (key.endsWith('.m3u8')) for (const named of namedBy(key, String(content))) expect(listed).toContain(named)

    const master = files.find(({ role }) => role === 'hls')?.key ?? ''
    const textOf = (key: string) => String(bytes.get(key))
    const readPlaylist = async (uri: string) => textOf(posix.join(posix.dirname(master), uri))
    expect(await expectValidPlaylists(textOf(master), readPlaylist)).toBe(5)

    for (const name of ['/video.m3u8', '/120p.m3u8']) {
      const key = files.find((file) => file.key.endsWith(name))?.key ?? ''
      expect(String(bytes.get(key))).not.toContain('DISCONTINUITY')
      const { frames, times } = await decodeEveryFrame(clips.ffmpegPath, join(clips.directory, key))
      const shown = frames.map((picture) => readCellTimecode(picture, { x: 0, y: 0, width: 320, height: 240 }) ?? 0)
      expect(shown.map((frame) => frame - (shown[0] ?? 0))).toEqual(Array.from({ length: FRAMES }, (_, n) => n))
      for (const [frame, time] of times.entries()) expect(Math.abs(time - frame / 30)).toBeLessThan(0.002)
    }

    await run(world, 'joinParts', { parts: [...IDS], overlaps, message: null })
    expect(await manifest()).toEqual(found)
  })

  it('joins nothing of an archive that no show started, and of a recording that has one part', async () => {
    await publish(0)
    const nothing = { parts: [], pairs: [], message: null }
    expect(await run(world, 'findParts', { archiveId: FIRST })).toEqual(nothing)
    await begin([FIRST])
    expect(await run(world, 'findParts', { archiveId: FIRST })).toEqual(nothing)
    expect(await run(world, 'findParts', { archiveId: SECOND })).toEqual(nothing)
    await publish(1, { showId: 'forgotten' })
    expect(await run(world, 'findParts', { archiveId: SECOND })).toEqual(nothing)
    await world.services.storage.deleteAll(keys.recording(SECOND))
    const pair = { earlier: FIRST, later: SECOND, expected: [1] }
    await expect(run(world, 'findOverlap', pair)).rejects.toThrow(`Recording ${SECOND} is no longer published.`)
    const input = { parts: [FIRST, SECOND], overlaps: [], message: null }
    expect(await run(world, 'joinParts', input)).toEqual({ joined: null, message: null })
    expect(await manifest()).toBeUndefined()
  })

  it('joins up to a part that is missing, and says so', async () => {
    await publish(0)
    await publish(1)
    await begin([FIRST, undefined, SECOND])
    const message = 'Part 2 is not published, so the parts after it are not joined.'
    expect(await run(world, 'findParts', { archiveId: SECOND })).toEqual({ parts: [], pairs: [], message })
  })

  it('joins by the times of creation where what was recorded says nothing, and says so', async () => {
    await begin(IDS)
    await publish(0, { keepDays: 30 })
    await publish(1)
    const overlaps = [{ shift: 2.2, confidence: null }]
    const { joined, message } = await run(world, 'joinParts', { parts: [...IDS], overlaps, message: null })
    expect(joined?.duration).toBeCloseTo(2.2 + (FRAMES - LATER) / 30, 2)
    expect(message).toBe('Part 2 is joined by creation times: about a second may be missing or repeated.')
    expect(await manifest()).toMatchObject({ message, keepDays: 30 })
    const late = await run(world, 'joinParts', {
      parts: [...IDS],
      overlaps: [{ shift: 60, confidence: null }],
      message: null,
    })
    expect(late.message).toBe('Part 2 begins about 52 s after the end of the previous part.')
    expect(late.joined?.duration).toBeCloseTo((LEFT + FRAMES - LATER) / 30, 1)
  })

  it('joins nothing to what has another picture or sound, and says so', async () => {
    await publish(0)
    await publish(1)
    const second = await world.services.records.readManifest(SECOND)
    const without = { ...(second as NonNullable<typeof second>), files: [] }
    await world.services.records.writeManifest(without, async () => true)
    const input = { parts: [...IDS], overlaps: [{ shift: LATER / 30, confidence: 1 }], message: null }
    const message = 'Part 2 has other video or audio than part 1, so it and the parts after it are not joined.'
    expect(await run(world, 'joinParts', input)).toEqual({ joined: null, message })
  })

  it('takes no part out again that another execution has joined meanwhile', async () => {
    await publish(0)
    await publish(1)
    const input = { parts: [...IDS], overlaps: [{ shift: LATER / 30, confidence: 1 }], message: null }
    await run(world, 'joinParts', input)
    const found = await manifest()
    const more = { ...(found as NonNullable<typeof found>), parts: [FIRST, SECOND, JOINED] }
    await world.services.records.writeManifest(more, async () => true)
    const message = 'A part was deleted meanwhile, or another execution has joined more parts.'
    expect(await run(world, 'joinParts', input)).toEqual({ joined: null, message })
    await world.services.records.writeManifest({ ...more, parts: [FIRST, SECOND, 'deleted'] }, async () => true)
    expect((await run(world, 'joinParts', input)).joined?.parts).toEqual(IDS)
  })

  it('keeps the files of a manifest that is stored after its write was given up', async () => {
    await publish(0)
    await publish(1)
    const held: (() => Promise<unknown>)[] = []
    world.interceptors.aws = (request, pass) => {
      if (!isCall('PUT', /-joined\/manifest/)(request)) return pass()
      held.push(pass)
      return Promise.resolve(new Response(null, { status: 503 }))
    }
    const input = { parts: [...IDS], overlaps: [{ shift: LATER / 30, confidence: 1 }], message: null }
    await expect(run(world, 'joinParts', input)).rejects.toThrow()
    await held[0]?.()
    for (const { key, role } of (await manifest())?.files ?? [])
      if (role !== 'poster') expect(await world.services.storage.etagOf(key), key).toBeDefined()
    expect((await manifest())?.files.length).toBeGreaterThan(1)
  })

  describe('while a part is deleted', () => {
    const input = { parts: [...IDS], overlaps: [{ shift: LATER / 30, confidence: 1 }], message: null }
    const join = () => run(world, 'joinParts', input)
    const remove = () => deleteForGood(world.services, SECOND)
    beforeEach(async () => {
      await begin(IDS)
      await publish(0)
      await publish(1)
    })
    /** Does something once, right before or after the first call of this kind is answered. */
    const once = (when: 'before' | 'after', method: string, path: RegExp, act: () => Promise<unknown>) => {
      let isFirst = true
      world.interceptors.aws = async (request, pass) => {
        const isMeant = isFirst && isCall(method, path)(request)
        if (isMeant) isFirst = false
        if (isMeant && when === 'before') await act()
        const answer = await pass()
        if (isMeant && when === 'after') await act()
        return answer
      }
    }
    const nothingIsLeft = async () => {
      const { keys: found } = await world.services.storage.list('', { limit: 100 })
      expect(found.filter((key) => key.includes(SECOND) || key.includes(JOINED))).toEqual([])
      expect(found).toContain(keys.manifest(FIRST))
    }
    const late = { joined: null, message: 'A part was deleted meanwhile, or another execution has joined more parts.' }

    it('takes back what it has written of a part that was deleted before it could be seen', async () => {
      once('before', 'PUT', /-joined\/manifest/, remove)
      expect(await join()).toEqual(late)
      await nothingIsLeft()
    })

    it.each([
      ['is about to leave the list', 'before', /index\/recordings\/\d+-2222/],
      ['has left the list', 'after', /index\/recordings\/\d+-2222/],
      ['has lost its source', 'after', /archive\.mp4/],
      ['is about to lose its manifest', 'before', /recordings\/2222[^/]*\/manifest/],
    ] as const)('leaves nothing that joins a part which %s', async (_, when, path) => {
      let joined: unknown
      once(when, 'DELETE', path, async () => {
        joined = await join()
      })
      await remove()
      expect(joined).toMatchObject(when === 'before' && path.source.includes('index') ? { message: null } : late)
      await nothingIsLeft()
    })

    it('deletes what an interrupted attempt has left when it is repeated', async () => {
      await join()
      const left = (await manifest()) as Manifest
      await remove()
      await nothingIsLeft()
      await world.services.records.writeManifest(left, async () => true)
      expect(await join()).toEqual({ joined: null, message: null })
      await nothingIsLeft()
    })
  })

  it('plays parts with a pause between them one after another, with a chapter at the seam', async () => {
    const length = LEFT + RESUMED.until - RESUMED.from
    const pauses = [{ from: 10, to: 20 }]
    await world.accept({ ...webinar, duration: 60, recordings: [{ name: 'program', pauses }] }, 'paused')
    await world.services.shows.update('paused', (state) => ({ ...state, liveAt: CREATED[0] }))
    const startOf = (seconds: number) => new Date(Date.parse(CREATED[0]) + seconds * 1000).toISOString()
    const recordings = IDS.map((archiveId, index) => ({
      ...{ name: 'program', part: index + 1, tag: `paused/program/${index + 1}`, archiveId },
      ...{ createdAt: startOf(20 * index), ...(index === 0 && { stoppedAt: startOf(8.2) }) },
    }))
    await world.services.shows.update('paused', (state) => ({ ...state, recordings }))
    await publish(0, { showId: 'paused' })
    await publish(1, { showId: 'paused', isResumed: true })

    const { overlaps, joined, message } = await joinFrom(SECOND)
    expect(overlaps).toEqual([{ shift: 20, confidence: null }])
    expect({ joined, message }).toEqual({
      joined: { archiveId: JOINED, parts: [...IDS], duration: expect.closeTo(length / 30, 1) },
      message: null,
    })
    const found = await manifest()
    const at = found?.pauses?.[0]?.at ?? Number.NaN
    expect(found).not.toHaveProperty('message')
    expect(found?.pauses).toEqual([{ at: expect.closeTo(LEFT / 30, 1), duration: expect.closeTo(20 - at, 6) }])

    const files = found?.files ?? []
    await fetchAll(files)
    const keyOf = (name: string) => files.find(({ key }) => key.endsWith(name))?.key ?? ''
    const chapters = String(await fetchObject(world, keyOf('/chapters.vtt')))
    expect(chapters.split('\n').filter((line) => /^(Chapter|Resumed)/.test(line))).toEqual(['Chapter 1', 'Resumed'])
    expect(chapters).toContain(`${at.toFixed(3).padStart(6, '0')} --> `)

    const { frames, times } = await decodeEveryFrame(clips.ffmpegPath, join(clips.directory, keyOf('/video.m3u8')))
    const shown = frames.map((picture) => readCellTimecode(picture, { x: 0, y: 0, width: 320, height: 240 }) ?? 0)
    const recorded = Array.from({ length }, (_, n) => (n < LEFT ? n : RESUMED.from + n - LEFT))
    expect(shown.map((frame) => frame - (shown[0] ?? 0))).toEqual(recorded)
    for (const [frame, time] of times.entries()) expect(Math.abs(time - frame / 30)).toBeLessThan(0.05)
  })

  it('looks from the end of the first part where it was paused', async () => {
    await begin(IDS)
    await publish(0)
    await publish(1)
    const pair = { earlier: FIRST, later: SECOND, expected: [605, 4] }
    expect((await run(world, 'findOverlap', pair)).shift).toBeCloseTo(LATER / 30, 2)
    await world.services.shows.update('a-show', (state) => ({
      ...state,
      recordings: state.recordings.map((one) => ({ ...one, stoppedAt: '2026-11-20T08:00:08.700Z' })),
    }))
    const { pairs } = await run(world, 'findParts', { archiveId: FIRST })
    expect(pairs[0]?.expected).toEqual([2.2, expect.closeTo(LATER / 30, 3)])
  })
})

async function fetchAll(files: readonly { key: string; role: string }[]): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>()
  for (const { key, role } of files) {
    if (role === 'poster') continue
    const bytes = await fetchObject(world, key)
    found.set(key, bytes)
    await mkdir(dirname(join(clips.directory, key)), { recursive: true })
    await writeFile(join(clips.directory, key), bytes)
  }
  return found
}

function namedBy(key: string, playlist: string): string[] {
  const named: string[] = []
  withUris(playlist, (uri) => {
    named.push(posix.join(posix.dirname(key), uri))
    return uri
  })
  return named
}
