import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Manifest } from '../../../lib/publish/manifest/manifest.ts'
import { openWorld, type World } from '../../support/world.ts'
import { run } from '../run.ts'

const START = Date.parse('2026-11-20T08:00:00.000Z')
const inSeconds = (seconds: number) => new Date(START + seconds * 1000).toISOString()

let world: World
beforeEach(async () => {
  world = openWorld()
  await world.accept()
})
afterEach(() => world.close())

const archiveOf = (part: number) => `archive-${part}`
const nothing = { parts: [], pairs: [], message: null }

/** Notes parts of the recording `program` in the show's state. Each starts ten seconds after the one before. */
const begin = (numbers: readonly number[], more: object = {}) =>
  world.services.shows.update('a-show', (state) => ({
    ...state,
    recordings: numbers.map((part) => ({
      ...{ name: 'program', part, tag: `a-show/program/${part}` },
      ...{ archiveId: archiveOf(part), createdAt: inSeconds(10 * (part - 1)), ...more },
    })),
  }))

/** Writes the manifest of a part that lasts twelve seconds. */
const publish = (part: number, { showId = 'a-show' as string | null, ...changes }: Changes = {}) =>
  world.services.records.writeManifest(
    {
      ...{ version: 1, archiveId: archiveOf(part), createdAt: inSeconds(10 * (part - 1)) },
      ...(showId !== null && { show: { showId, name: 'program', part } }),
      ...{ status: 'complete', access: 'signed', duration: 12, video: null, audio: null },
      source: { key: `1/${archiveOf(part)}/archive.mp4`, size: 1, sha256: null },
      files: [{ role: 'hls', key: `recordings/${archiveOf(part)}/master.m3u8`, size: 1, sha256: null }],
      ...changes,
    },
    async () => true,
  )
/** `showId` is null for an archive that no show started. */
type Changes = Partial<Manifest> & { readonly showId?: string | null }

const findParts = (part: number) => run(world, 'findParts', { archiveId: archiveOf(part) })

describe('findParts', () => {
  it('finds all parts from any of them, and expects overlaps by the times of creation', async () => {
    await begin([1, 2, 3])
    for (const part of [1, 2, 3]) await publish(part)
    const found = {
      parts: [1, 2, 3].map(archiveOf),
      pairs: [
        { earlier: archiveOf(1), later: archiveOf(2), expected: [10] },
        { earlier: archiveOf(2), later: archiveOf(3), expected: [10] },
      ],
      message: null,
    }
    for (const part of [1, 2, 3]) expect(await findParts(part)).toEqual(found)
  })

  it('expects the overlap also by the end of the earlier part, since creation times ignore a pause', async () => {
    await begin([1, 2], { stoppedAt: inSeconds(12.5) })
    await publish(1)
    await publish(2)
    expect((await findParts(1)).pairs[0]?.expected).toEqual([10, 12 - 2.5])
  })

  it('finds the parts before one that is missing, and reports it', async () => {
    await begin([1, 2, 3, 4])
    for (const part of [1, 2, 4]) await publish(part)
    expect(await findParts(4)).toEqual({
      parts: [1, 2].map(archiveOf),
      pairs: [{ earlier: archiveOf(1), later: archiveOf(2), expected: [10] }],
      message: 'Part 3 is not published, so the parts after it are not joined.',
    })
  })

  it.each<[string, Partial<Manifest>]>([
    ['is not complete', { status: 'ready' }],
    ['has no HLS', { files: [] }],
  ])('counts a part as missing that %s', async (_, changes) => {
    await begin([1, 2, 3])
    await publish(1)
    await publish(2, changes)
    await publish(3)
    const message = 'Part 2 is not published, so the parts after it are not joined.'
    expect(await findParts(3)).toEqual({ ...nothing, message })
  })

  it('reports nothing while only the last parts are missing', async () => {
    await begin([1, 2])
    await publish(1)
    expect(await findParts(1)).toEqual(nothing)
  })

  it('finds nothing of an archive that is not published', async () => {
    expect(await findParts(1)).toEqual(nothing)
  })

  it.each([
    ['that no show started', null],
    ['of a show without records', 'forgotten'],
    ['with one part', 'a-show'],
  ])('finds nothing of a recording %s', async (_, showId) => {
    await begin([1])
    await publish(1, { showId })
    expect(await findParts(1)).toEqual(nothing)
  })
})
