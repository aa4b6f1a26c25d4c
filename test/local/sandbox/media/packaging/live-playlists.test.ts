import { describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../../../lib/clock.ts'
import type { LivePart } from '../../../../../lib/media/hls/live/live-segment.ts'
import { createLivePlaylists } from '../../../../../local/sandbox/media/packaging/live-playlists.ts'
import { timelineOf } from '../../../../lib/media/hls/live/timelines.ts'

/** Opens the playlists of a broadcast with so many parts of a third of a second. */
function open(parts: number, hls = { dvr: false, lowLatency: true }) {
  const clock = createSteppedClock(0)
  const playlists = createLivePlaylists(hls, clock)
  const { segments } = timelineOf(24)
  const waiting = segments.slice().flatMap((segment) => segment.parts)
  const next = () => playlists.addPart(waiting.shift() as LivePart)
  for (let index = 0; index < parts; index++) next()
  return { clock, playlists, next }
}

describe('createLivePlaylists', () => {
  it('holds a request until its part is there', async () => {
    const { playlists, next } = open(8)
    const held = playlists.playlist('window', { segment: 1, part: 3, skip: false })
    next()
    next()
    expect(await held).toMatch(/part-00001\.3\.m4s"\n#EXT-X-PRELOAD-HINT:TYPE=PART,URI="part-00001\.4\.m4s"\n$/)
  })

  it('refuses a request more than two segments ahead, and one that was held for three target durations', async () => {
    const { playlists, clock } = open(8)
    await expect(playlists.playlist('window', { segment: 3, skip: false })).rejects.toMatchObject({ reason: 'ahead' })
    const held = expect(playlists.playlist('window', { segment: 2, skip: false })).rejects.toMatchObject({
      reason: 'late',
    })
    await clock.advance(6_000)
    await held
    expect(clock.nextDue()).toBeUndefined()
  })

  it('answers held requests at the end', async () => {
    const { playlists } = open(8)
    const held = playlists.playlist('window', { segment: 2, part: 0, skip: false })
    const part = playlists.locate('part-00001.2.m4s')
    playlists.end()
    expect(await held).toMatch(/#EXT-X-ENDLIST\n$/)
    expect(await part).toBeUndefined()
  })

  it('finds segments and parts, and waits for the announced part', async () => {
    const { playlists, next } = open(8)
    expect(await playlists.locate('segment-00000.m4s')).toMatchObject({ offset: 0, size: 600 })
    expect(await playlists.locate('part-00001.1.m4s')).toMatchObject({ offset: 700, size: 100 })
    for (const name of ['segment-00001.m4s', 'part-00001.3.m4s', 'part-00002.0.m4s', '../part-00000.0.m4s'])
      expect(await playlists.locate(name)).toBeUndefined()
    const announced = playlists.locate('part-00001.2.m4s')
    next()
    expect(await announced).toMatchObject({ offset: 800, size: 100 })
  })

  it('has all segments only with DVR', async () => {
    for (const dvr of [true, false]) {
      const { playlists } = open(12, { dvr, lowLatency: false })
      expect((await playlists.playlist('event'))?.includes('PLAYLIST-TYPE:EVENT')).toBe(dvr)
    }
  })

  it('holds nothing without low latency', async () => {
    const { playlists } = open(8, { dvr: false, lowLatency: false })
    expect(await playlists.playlist('window', { segment: 9, skip: false })).toContain('segment-00000.m4s')
  })
})
