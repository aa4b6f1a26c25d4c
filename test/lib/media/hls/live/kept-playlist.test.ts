import { describe, expect, it } from 'vitest'
import { KEPT_END, keptEntry, keptHeader, parseKept } from '../../../../../lib/media/hls/live/kept-playlist.ts'
import { expectValidPlaylist } from '../../../../support/hls/expect-valid-playlist.ts'
import { timelineOf } from './timelines.ts'

describe('parseKept', () => {
  const kept = timelineOf(18)
    .segments.slice()
    .map(({ parts, duration, ...range }) => ({ ...range, duration: 2 }))
  const whole = keptHeader() + kept.map(keptEntry).join('')

  it('lists the segments that were written', () => {
    expect(parseKept(whole)).toEqual(kept)
    expect(parseKept(whole + KEPT_END)).toEqual(kept)
    for (const text of [whole, whole + KEPT_END]) expectValidPlaylist(text)
  })

  it('skips an incomplete entry, cut at any place', () => {
    const length = whole.length - keptEntry(kept[2] as never).length
    for (let end = length; end < whole.length; end++) expect(parseKept(whole.slice(0, end))).toHaveLength(2)
  })
})
