import { describe, expect, it } from 'vitest'
import { parseWebVtt } from '../../../../lib/media/captions/web-vtt.ts'
import { chaptersAt, findChapters, writeChapters } from '../../../../lib/media/chapters/find-chapters.ts'

const find = (options: Partial<Parameters<typeof findChapters>[0]>) =>
  findChapters({ duration: 600, silences: [], blacks: [], ...options })
const startsOf = (options: Parameters<typeof find>[0]) => find(options).map(({ start }) => start)

describe('findChapters', () => {
  it('begins a chapter where a gap ends, the first at 0, and numbers them', () => {
    expect(find({ blacks: [{ start: 200, end: 203 }], silences: [{ start: 400, end: 406 }] })).toEqual([
      { start: 0, end: 203, title: 'Chapter 1' },
      { start: 203, end: 406, title: 'Chapter 2' },
      { start: 406, end: 600, title: 'Chapter 3' },
    ])
  })

  it('accepts a shorter gap that is both black and silent, and begins where either ends', () => {
    const silences = [{ start: 295, end: 301 }]
    expect(startsOf({ silences, blacks: [{ start: 300, end: 310 }] })).toEqual([0, 301])
    expect(startsOf({ blacks: [{ start: 300, end: 301.5 }] })).toEqual([])
    expect(startsOf({ silences: [{ start: 300, end: 304.9 }] })).toEqual([])
  })

  it('keeps the gap of higher precedence where two are too close', () => {
    const silences = [{ start: 190, end: 200 }]
    expect(startsOf({ silences, blacks: [{ start: 220, end: 222 }] })).toEqual([0, 222])
    const near = [
      { start: 300, end: 306 },
      { start: 320, end: 330 },
    ]
    expect(startsOf({ silences: near })).toEqual([0, 330])
    expect(startsOf({ silences: near, shortestChapter: 20 })).toEqual([0, 306, 330])
  })

  it('ignores gaps at the start and at the end', () => {
    const gaps = [
      { start: 0, end: 30 },
      { start: 580, end: 600 },
    ]
    expect(find({ blacks: gaps, silences: gaps })).toEqual([])
  })

  it('makes at most fifty chapters', () => {
    const silences = Array.from({ length: 500 }, (_, n) => ({ start: n * 86, end: n * 86 + 6 + (n % 7) }))
    const chapters = find({ duration: 43_200, silences })
    expect(chapters.length).toBeLessThanOrEqual(50)
    expect(chapters.length).toBeGreaterThan(20)
    expect(chapters.every(({ start }, n) => n === 0 || start === chapters[n - 1]?.end)).toBe(true)
  })
})

describe('writeChapters', () => {
  it('writes WebVTT', () => {
    const text = writeChapters(
      find({ blacks: [{ start: 3660, end: 3661.5 }], silences: [{ start: 0, end: 4000 }], duration: 7200 }),
    )
    expect(text).toBe(
      'WEBVTT\n\n00:00:00.000 --> 01:01:01.500\nChapter 1\n\n01:01:01.500 --> 02:00:00.000\nChapter 2\n',
    )
    expect(parseWebVtt(text).duration).toBe(7200)
  })
})

describe('chaptersAt', () => {
  const at = (...markers: (readonly [at: number, title: string])[]) =>
    chaptersAt(
      markers.map(([time, title]) => ({ at: time, title })),
      600,
    ).map(({ start, end, title }) => [start, end, title])

  it('begins a chapter at each marker, and numbers the one before the first', () => {
    expect(at([60, 'Welcome'], [300, 'Talk'])).toEqual([
      [0, 60, 'Chapter 1'],
      [60, 300, 'Welcome'],
      [300, 600, 'Talk'],
    ])
    expect(at([0, 'Welcome'])).toEqual([[0, 600, 'Welcome']])
  })

  it('names the start by the last marker before it, and leaves out markers after the end', () => {
    expect(at([-90, 'Welcome'], [-5, 'Talk'], [100, 'Questions'], [600, 'Late'], [700, 'Later'])).toEqual([
      [0, 100, 'Talk'],
      [100, 600, 'Questions'],
    ])
    expect(at([700, 'Later'])).toEqual([])
  })

  it('counts the last of several markers at one time', () => {
    expect(at([0.2, 'Welcome'], [90, 'One'], [90, 'Other'])).toEqual([
      [0, 90, 'Welcome'],
      [90, 600, 'Other'],
    ])
  })

  it('writes titles as text', () => {
    const text = writeChapters(chaptersAt([{ at: 0, title: 'Q & A --> <b>' }], 600))
    expect(text).toBe('WEBVTT\n\n00:00:00.000 --> 00:10:00.000\nQ &amp; A --&gt; &lt;b&gt;\n')
    const [cue] = parseWebVtt(text).cues
    expect(writeChapters([{ start: 0, end: 600, title: cue?.text ?? '' }])).toBe(text)
  })
})
