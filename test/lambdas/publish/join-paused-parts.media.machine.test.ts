import { describe, expect, it } from 'vitest'
import { webinar } from '../../support/world.ts'
import { fetchObject } from '../stored-archives.ts'
import { CREATED, IDS, JOINED, LEFT, SECOND, useParts } from './joined-parts.ts'

/** Frames of the part that is recorded after the pause. */
const RESUMED = { from: 320, until: 400 }
const parts = useParts(RESUMED)

describe('joinParts of parts with a pause between them', () => {
  it('plays them one after another, with a chapter at the seam', async () => {
    const { world } = parts
    const length = LEFT + RESUMED.until - RESUMED.from
    const pauses = [{ from: 10, to: 20 }]
    await world.accept({ ...webinar, duration: 60, recordings: [{ name: 'program', pauses }] }, 'paused')
    const startOf = (seconds: number) => new Date(Date.parse(CREATED[0]) + seconds * 1000).toISOString()
    const recordings = IDS.map((archiveId, index) => ({
      ...{ name: 'program', part: index + 1, tag: `paused/program/${index + 1}`, archiveId },
      ...{ createdAt: startOf(20 * index), ...(index === 0 && { stoppedAt: startOf(8.2) }) },
    }))
    await world.services.shows.update('paused', (state) => ({ ...state, liveAt: CREATED[0], recordings }))
    await parts.publish(0, { showId: 'paused' })
    await parts.publish(1, { showId: 'paused' })

    const { overlaps, joined, message } = await parts.joinFrom(SECOND)
    expect(overlaps).toEqual([{ shift: 20, confidence: null }])
    expect({ joined, message }).toEqual({
      joined: { archiveId: JOINED, parts: [...IDS], duration: expect.closeTo(length / 30, 1) },
      message: null,
    })
    const found = await parts.manifest()
    const at = found?.pauses?.[0]?.at ?? Number.NaN
    expect(found).not.toHaveProperty('message')
    expect(found?.pauses).toEqual([{ at: expect.closeTo(LEFT / 30, 1), duration: expect.closeTo(20 - at, 6) }])

    const files = found?.files ?? []
    await parts.fetchAll(files)
    const keyOf = (name: string) => files.find(({ key }) => key.endsWith(name))?.key ?? ''
    const chapters = String(await fetchObject(world, keyOf('/chapters.vtt')))
    expect(chapters.split('\n').filter((line) => /^(Chapter|Resumed)/.test(line))).toEqual(['Chapter 1', 'Resumed'])
    expect(chapters).toContain(`${at.toFixed(3).padStart(6, '0')} --> `)

    const { shown, times } = await parts.decode(keyOf('/video.m3u8'))
    expect(shown).toEqual(Array.from({ length }, (_, n) => (n < LEFT ? n : RESUMED.from + n - LEFT)))
    for (const [frame, time] of times.entries()) expect(Math.abs(time - frame / 30)).toBeLessThan(0.05)
  })
})
