import { describe, expect, it } from 'vitest'
import { describeRules } from './examples.ts'
import { followPlaylist } from './expect-valid-playlist.ts'
import { parsePlaylist } from './parse.ts'
import { blockingRules, reloadRules, resolved } from './reload-rules.ts'

const written = (...lines: string[]) => parsePlaylist(['#EXTM3U', ...lines, ''].join('\n'))
const segment = (number: number, ...tags: string[]) => [...tags, '#EXTINF:2,', `${number}.m4s`]
const part = (number: number, index: number) => `#EXT-X-PART:DURATION=0.3,URI="${number}.${index}.m4s"`
const hint = (number: number, index: number) => `#EXT-X-PRELOAD-HINT:TYPE=PART,URI="${number}.${index}.m4s"`
const target = (seconds: number) => written(`#EXT-X-TARGETDURATION:${seconds}`)
const partTarget = (seconds: number) => written(`#EXT-X-PART-INF:PART-TARGET=${seconds}`)
const from = (sequence: number, ...lines: string[]) => written(`#EXT-X-MEDIA-SEQUENCE:${sequence}`, ...lines)
const event = (sequence: number, ...lines: string[]) => from(sequence, '#EXT-X-PLAYLIST-TYPE:EVENT', ...lines)
const BREAK = '#EXT-X-DISCONTINUITY'
const breaks = (sequence: number) => `#EXT-X-DISCONTINUITY-SEQUENCE:${sequence}`
const END = '#EXT-X-ENDLIST'

const before = from(0, ...segment(0), ...segment(1))
const parted = from(0, ...segment(0), part(1, 0), hint(1, 1))

describeRules('rules of reloads', reloadRules, [
  { holds: { before: target(2), after: target(2) }, breaks: { before: target(2), after: target(3) } },
  {
    holds: { before: partTarget(0.3), after: partTarget(0.3) },
    breaks: { before: partTarget(0.3), after: partTarget(0.25) },
  },
  {
    holds: { before, after: from(1, ...segment(1)) },
    breaks: { before: from(1, ...segment(1)), after: before },
  },
  {
    holds: { before, after: from(1, ...segment(1), ...segment(2)) },
    breaks: { before, after: from(1, ...segment(2)) },
  },
  {
    holds: { before, after: from(0, ...segment(0), ...segment(1), ...segment(2)) },
    breaks: { before, after: from(0, ...segment(0)) },
  },
  {
    holds: {
      before: from(0, breaks(4), ...segment(0, BREAK), ...segment(1)),
      after: from(1, breaks(5), ...segment(1)),
    },
    breaks: {
      before: from(0, breaks(4), ...segment(0, BREAK), ...segment(1)),
      after: from(1, breaks(4), ...segment(1)),
    },
  },
  {
    holds: { before: event(0, ...segment(0)), after: event(0, ...segment(0), ...segment(1)) },
    breaks: { before: event(0, ...segment(0), ...segment(1)), after: event(1, ...segment(1)) },
  },
  {
    holds: { before: from(0, ...segment(0), END), after: from(0, ...segment(0), END) },
    breaks: { before: from(0, ...segment(0), END), after: from(0, ...segment(0), ...segment(1), END) },
  },
  {
    holds: { before: parted, after: from(0, ...segment(0), part(1, 0), part(1, 1)) },
    breaks: { before: parted, after: from(0, ...segment(0)) },
  },
  {
    holds: { before: parted, after: from(0, ...segment(0), part(1, 0), part(1, 1), ...segment(1)) },
    breaks: { before: parted, after: from(0, ...segment(0), part(1, 0), '#EXT-X-PART:DURATION=0.3,URI="other.m4s"') },
  },
])

describeRules('rules of blocking reloads', blockingRules, [
  { holds: { msn: 1, part: 0, after: parted }, breaks: { msn: 1, part: 1, after: parted } },
])

describe('resolved', () => {
  const whole = from(3, ...segment(3, '#EXT-X-MAP:URI="init.mp4"'), ...segment(4), ...segment(5))

  it('completes a delta update from the earlier version', () => {
    const update = from(3, '#EXT-X-SKIP:SKIPPED-SEGMENTS=2', ...segment(5), ...segment(6))
    const { segments } = resolved(whole, update)
    expect(segments.map(({ number, uri, map }) => [number, uri, map])).toEqual(
      [3, 4, 5, 6].map((number) => [number, `${number}.m4s`, 'URI="init.mp4"']),
    )
  })

  it('refuses an update that skips what the earlier version lacks', () => {
    expect(() => resolved(whole, from(2, '#EXT-X-SKIP:SKIPPED-SEGMENTS=2', ...segment(4)))).toThrow(RangeError)
  })
})

describe('followPlaylist', () => {
  const version = (count: number) =>
    [
      ...['#EXTM3U', '#EXT-X-TARGETDURATION:2', '#EXT-X-MEDIA-SEQUENCE:0'],
      ...Array.from({ length: count }, (_, number) => [`#EXTINF:2,`, `${number}.ts`]).flat(),
      '',
    ].join('\n')

  it('judges each version after the one before', () => {
    const { add } = followPlaylist()
    expect(add(version(2)).segments).toHaveLength(2)
    expect(add(version(3), { msn: 2 }).segments).toHaveLength(3)
    expect(() => add(version(3), { msn: 3 })).toThrow('6.2.5.2')
    expect(() => add(version(2))).toThrow('6.2.1')
  })
})
