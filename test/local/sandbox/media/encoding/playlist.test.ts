import { describe, expect, it } from 'vitest'
import { endPlaylist, newerPlaylist, presentPlaylist } from '../../../../../local/sandbox/media/encoding/playlist.ts'

const HEADER = '#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:2\n'
const segments = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `#EXTINF:2.000000,\nsegment-${from + index}.ts\n`).join('')
const whole = (count: number) =>
  `${HEADER}#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-PLAYLIST-TYPE:EVENT\n#EXT-X-INDEPENDENT-SEGMENTS\n${segments(0, count)}`

/** Between two frames: the first one that is shown begins 20 ms later. */
const createdAt = Date.UTC(2026, 10, 20, 9, 0, 0, 980)
const dated = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => {
    const seconds = String(1 + 2 * (from + index)).padStart(2, '0')
    return `#EXT-X-PROGRAM-DATE-TIME:2026-11-20T09:00:${seconds}.000Z\n${segments(from + index, from + index + 1)}`
  }).join('')

describe('presentPlaylist', () => {
  it('shows a live player the newest six segments with their numbers, and no playlist type', () => {
    expect(presentPlaylist(whole(9), { dvr: false, createdAt })).toBe(
      `${HEADER}#EXT-X-MEDIA-SEQUENCE:3\n#EXT-X-INDEPENDENT-SEGMENTS\n${dated(3, 9)}`,
    )
    expect(presentPlaylist(whole(2), { dvr: false, createdAt })).toBe(
      `${HEADER}#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-INDEPENDENT-SEGMENTS\n${dated(0, 2)}`,
    )
  })

  it('shows everything with DVR', () => {
    for (const playlist of [whole(9), endPlaylist(whole(9))])
      expect(presentPlaylist(playlist, { dvr: true, createdAt })).toBe(playlist.replace(segments(0, 9), dated(0, 9)))
  })

  it('ends after the same segments, whose numbers never decrease', () => {
    expect(presentPlaylist(endPlaylist(whole(9)), { dvr: false, createdAt })).toBe(
      `${presentPlaylist(whole(9), { dvr: false, createdAt })}#EXT-X-ENDLIST\n`,
    )
  })
})

describe('endPlaylist', () => {
  it('ends a playlist once', () => {
    expect(endPlaylist(endPlaylist(whole(1)))).toBe(`${whole(1)}#EXT-X-ENDLIST\n`)
  })
})

describe('newerPlaylist', () => {
  it('returns the longer reading', () => {
    expect(newerPlaylist(undefined, whole(1))).toBe(whole(1))
    expect(newerPlaylist(whole(1), whole(2))).toBe(whole(2))
    expect(newerPlaylist(whole(2), endPlaylist(whole(2)))).toBe(endPlaylist(whole(2)))
  })

  it('returns the known reading for an incomplete file, cut at any place', () => {
    expect(newerPlaylist(whole(3), undefined)).toBe(whole(3))
    for (let length = 0; length < whole(4).length; length++) {
      const seen = newerPlaylist(whole(3), whole(4).slice(0, length))
      expect(seen, `${length} characters`).toBe(whole(3))
    }
    expect(newerPlaylist(undefined, whole(0))).toBeUndefined()
  })
})
