import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withUris } from '../../../lib/media/hls/playlists/uris.ts'
import { keys } from '../../../lib/show/state/keys.ts'
import { expectValidPlaylists } from '../../support/hls/read-presentation.ts'
import { isCall } from '../../support/world/interceptors.ts'
import { run } from '../run.ts'
import { digestOf, fetchObject } from '../stored-archives.ts'
import { bothParts, CREATED, FIRST, FRAMES, IDS, JOINED, LATER, LEFT, SECOND, useParts } from './joined-parts.ts'

const parts = useParts()
const join = (input: Parameters<typeof run<'joinParts'>>[2] = bothParts) => run(parts.world, 'joinParts', input)

describe('joinParts', () => {
  it('publishes two parts as one, in all renditions, from their own files', async () => {
    await parts.begin()
    const vtt = 'WEBVTT\n\n00:00:00.000 --> 00:00:06.500\nChapter 1\n\n00:00:06.500 --> 00:00:07.000\nChapter 2\n'
    await parts.publish(0, { smaller: true })
    await parts.publish(1, { smaller: true, chapters: vtt })
    const { pairs, overlaps, joined, message } = await parts.joinFrom(SECOND)
    expect(pairs).toEqual([{ earlier: FIRST, later: SECOND, expected: [2.2] }])
    expect(overlaps).toEqual([{ shift: expect.closeTo(LATER / 30, 2), confidence: expect.any(Number) }])
    expect({ joined, message }).toEqual({
      joined: { archiveId: JOINED, parts: [...IDS], duration: expect.closeTo(FRAMES / 30, 2) },
      message: null,
    })

    const found = await parts.manifest()
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
    const chapters = String(await fetchObject(parts.world, files[1]?.key ?? ''))
    expect(chapters).toContain('00:00:08.167 --> 00:00:08.667\nChapter 2')
    expect((await parts.world.services.records.listRecordings({ limit: 9 })).items).toContain(JOINED)

    const bytes = await parts.fetchAll(files)
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
      expect(textOf(key)).not.toContain('DISCONTINUITY')
      const { shown, times } = await parts.decode(key)
      expect(shown).toEqual(Array.from({ length: FRAMES }, (_, n) => n))
      for (const [frame, time] of times.entries()) expect(Math.abs(time - frame / 30)).toBeLessThan(0.002)
    }

    await join({ parts: [...IDS], overlaps, message: null })
    expect(await parts.manifest()).toEqual(found)
  })

  it('joins by the times of creation where the recorded media show no overlap, and reports it', async () => {
    await parts.publish(0, { keepDays: 30 })
    await parts.publish(1)
    const { joined, message } = await join({ ...bothParts, overlaps: [{ shift: 2.2, confidence: null }] })
    expect(joined?.duration).toBeCloseTo(2.2 + (FRAMES - LATER) / 30, 2)
    expect(message).toBe('Part 2 is joined by creation times: about a second may be missing or repeated.')
    expect(await parts.manifest()).toMatchObject({ message, keepDays: 30 })
  })

  it('plays a part that began after the end of the previous one right after it, and reports the gap', async () => {
    await parts.publish(0)
    await parts.publish(1)
    const { joined, message } = await join({ ...bothParts, overlaps: [{ shift: 60, confidence: null }] })
    expect(message).toBe('Part 2 begins about 52 s after the end of the previous part.')
    expect(joined?.duration).toBeCloseTo((LEFT + FRAMES - LATER) / 30, 1)
  })

  it('joins nothing to a part that has other video or audio, and reports it', async () => {
    await parts.publish(0)
    await parts.publish(1)
    const second = await parts.world.services.records.readManifest(SECOND)
    const without = { ...(second as NonNullable<typeof second>), files: [] }
    await parts.world.services.records.writeManifest(without, async () => true)
    const message = 'Part 2 has other video or audio than part 1, so it and the parts after it are not joined.'
    expect(await join()).toEqual({ joined: null, message })
  })

  it('removes a joined recording whose parts do not fit any more, since another file was accepted', async () => {
    await parts.publish(0)
    await parts.publish(1)
    expect((await join()).joined?.parts).toEqual(IDS)
    const first = await parts.world.services.records.readManifest(FIRST)
    const other = { ...(first as NonNullable<typeof first>), files: [] }
    await parts.world.services.records.writeManifest(other, async () => true)
    expect((await join()).joined).toBeNull()
    expect(await parts.manifest()).toBeUndefined()
    expect((await parts.world.services.records.listRecordings({ limit: 9 })).items).not.toContain(JOINED)
  })

  it('joins nothing when a part is no longer published', async () => {
    await parts.publish(0)
    expect(await join({ ...bothParts, overlaps: [] })).toEqual({ joined: null, message: null })
    expect(await parts.manifest()).toBeUndefined()
  })

  it('removes no part that another execution has joined, but one that was deleted', async () => {
    await parts.publish(0)
    await parts.publish(1)
    await join()
    const found = await parts.manifest()
    const more = { ...(found as NonNullable<typeof found>), parts: [FIRST, SECOND, JOINED] }
    await parts.world.services.records.writeManifest(more, async () => true)
    const message = 'A part was deleted meanwhile, or another execution has joined more parts.'
    expect(await join()).toEqual({ joined: null, message })
    await parts.world.services.records.writeManifest({ ...more, parts: [FIRST, SECOND, 'deleted'] }, async () => true)
    expect((await join()).joined?.parts).toEqual(IDS)
  })

  it('keeps the files of a manifest that is stored after its write was given up', async () => {
    await parts.publish(0)
    await parts.publish(1)
    const held: (() => Promise<unknown>)[] = []
    parts.world.interceptors.aws = (request, pass) => {
      if (!isCall('PUT', /-joined\/manifest/)(request)) return pass()
      held.push(pass)
      return Promise.resolve(new Response(null, { status: 503 }))
    }
    await expect(join()).rejects.toThrow()
    await held[0]?.()
    const files = (await parts.manifest())?.files.filter(({ role }) => role !== 'poster') ?? []
    expect(files.length).toBeGreaterThan(1)
    for (const { key } of files) expect(await parts.world.services.storage.etagOf(key), key).toBeDefined()
  })
})

describe('findOverlap', () => {
  const findOverlap = (...expected: number[]) =>
    run(parts.world, 'findOverlap', { earlier: FIRST, later: SECOND, expected })

  it('searches near each time that is expected', async () => {
    await parts.publish(0)
    await parts.publish(1)
    expect((await findOverlap(605, 4)).shift).toBeCloseTo(LATER / 30, 2)
  })

  it('refuses a part that is no longer published', async () => {
    await parts.publish(0)
    await parts.publish(1)
    await parts.world.services.storage.deleteAll(keys.recording(SECOND))
    await expect(findOverlap(1)).rejects.toThrow(`Recording ${SECOND} is no longer published.`)
  })
})

/** Returns the keys of the files that a playlist names. */
function namedBy(key: string, playlist: string): string[] {
  const named: string[] = []
  withUris(playlist, (uri) => {
    named.push(posix.join(posix.dirname(key), uri))
    return uri
  })
  return named
}
