import { describe, expect, it } from 'vitest'
import { joinChapters } from '../../../../lib/media/joining/join-chapters.ts'

const chapter = (start: number, end: number, title: string) => ({ start, end, title })
const first = { end: 100, cut: { offset: 0, until: 90 } }
const second = { end: 100, cut: { offset: 84, from: 6 } }

describe('joinChapters', () => {
  it('moves chapters to the joined time, continues one across a cut, and numbers them again', () => {
    const chapters = joinChapters([
      { ...first, chapters: [chapter(0, 60, 'Chapter 1'), chapter(60, 100, 'Chapter 2')] },
      { ...second, chapters: [chapter(0, 50, 'Chapter 1'), chapter(50, 100, 'Chapter 2')] },
    ])
    expect(chapters).toEqual([
      chapter(0, 60, 'Chapter 1'),
      chapter(60, 134, 'Chapter 2'),
      chapter(134, 184, 'Chapter 3'),
    ])
  })

  it('leaves out chapters beyond a cut, and counts a part without chapters as one', () => {
    const named = [chapter(0, 5, 'Late'), chapter(5, 40, 'Welcome'), chapter(40, 100, 'Talk')]
    expect(
      joinChapters([
        { ...first, chapters: [] },
        { ...second, chapters: named },
      ]),
    ).toEqual([chapter(0, 90, 'Chapter 1'), chapter(90, 124, 'Welcome'), chapter(124, 184, 'Talk')])
  })

  it('begins a chapter with a part that follows another whole', () => {
    const parts = [
      { end: 100, cut: { offset: 0 }, chapters: [] },
      { end: 50, cut: { offset: 100 }, chapters: [] },
    ]
    expect(joinChapters(parts)).toEqual([chapter(0, 100, 'Chapter 1'), chapter(100, 150, 'Chapter 2')])
  })

  it('keeps the titles of markers, also one that looks numbered, and a single one', () => {
    const rolledOver = [chapter(0, 30, 'Chapter 4'), chapter(30, 100, 'Chapter 7')]
    expect(
      joinChapters([
        { ...first, chapters: [chapter(0, 60, 'Chapter 1'), chapter(60, 100, 'Chapter 4')] },
        { ...second, chapters: rolledOver },
      ]),
    ).toEqual([chapter(0, 60, 'Chapter 1'), chapter(60, 114, 'Chapter 4'), chapter(114, 184, 'Chapter 7')])
    const whole = [chapter(0, 100, 'Welcome')]
    expect(
      joinChapters([
        { ...first, chapters: whole },
        { ...second, chapters: whole },
      ]),
    ).toEqual([chapter(0, 184, 'Welcome')])
  })

  it('keeps the title of a marker that is numbered like another chapter of its part', () => {
    const later = [chapter(0, 20, 'Talk'), chapter(20, 60, 'Chapter 2'), chapter(60, 100, 'End')]
    const titles = joinChapters([
      { ...first, chapters: [chapter(0, 60, 'Welcome'), chapter(60, 100, 'Talk')] },
      { ...second, chapters: later },
    ]).map(({ title }) => title)
    expect(titles).toEqual(['Welcome', 'Talk', 'Chapter 2', 'End'])
  })

  it('begins at the cut with a marker that is after it in one part and before it in the next', () => {
    const chapters = joinChapters([
      { ...first, chapters: [chapter(0, 90.3, 'Welcome'), chapter(90.3, 100, 'Talk')] },
      { ...second, chapters: [chapter(0, 5.9, 'Welcome'), chapter(5.9, 100, 'Talk')] },
    ])
    expect(chapters).toEqual([chapter(0, 90, 'Welcome'), chapter(90, 184, 'Talk')])
  })

  it('repeats no title for a marker that is before the cut in one part and after it in the next', () => {
    const chapters = joinChapters([
      { ...first, chapters: [chapter(0, 89.5, 'Welcome'), chapter(89.5, 100, 'Talk')] },
      { ...second, chapters: [chapter(0, 7, 'Welcome'), chapter(7, 50, 'Talk'), chapter(50, 100, 'Welcome')] },
    ])
    expect(chapters).toEqual([chapter(0, 89.5, 'Welcome'), chapter(89.5, 134, 'Talk'), chapter(134, 184, 'Welcome')])
  })

  it('continues the chapter of a marker in a part that follows another whole, also in one without chapters', () => {
    const whole = { end: 100, cut: { offset: 0 }, chapters: [chapter(0, 60, 'Welcome'), chapter(60, 100, 'Talk')] }
    const next = { end: 50, cut: { offset: 100 } }
    const continued = [chapter(0, 60, 'Welcome'), chapter(60, 150, 'Talk')]
    expect(joinChapters([whole, { ...next, chapters: [chapter(0, 50, 'Talk')] }])).toEqual(continued)
    expect(joinChapters([whole, { ...next, chapters: [] }])).toEqual(continued)
  })

  it('gives none where there would be only one', () => {
    expect(
      joinChapters([
        { ...first, chapters: [] },
        { ...second, chapters: [] },
      ]),
    ).toEqual([])
  })

  describe('after a pause', () => {
    const before = { end: 100, cut: { offset: 0 }, chapters: [chapter(0, 60, 'Welcome'), chapter(60, 100, 'Talk')] }
    const after = { end: 50, cut: { offset: 100 }, isResumed: true }

    it('begins a chapter, also where nothing else divides the parts', () => {
      expect(
        joinChapters([
          { ...before, chapters: [] },
          { ...after, chapters: [] },
        ]),
      ).toEqual([chapter(0, 100, 'Chapter 1'), chapter(100, 150, 'Resumed')])
    })

    it('numbers the other chapters by their places', () => {
      const numbered = [chapter(0, 30, 'Chapter 1'), chapter(30, 50, 'Chapter 2')]
      const titles = joinChapters([
        { ...before, chapters: [] },
        { ...after, chapters: numbered },
      ]).map(({ title }) => title)
      expect(titles).toEqual(['Chapter 1', 'Resumed', 'Chapter 3'])
    })

    it('begins one that continues a marker, and again continues that in a part that rolled over', () => {
      const rolledOver = {
        end: 90,
        cut: { offset: 140, from: 2 },
        chapters: [chapter(0, 60, 'Talk'), chapter(60, 90, 'End')],
      }
      const talk = { ...after, chapters: [chapter(0, 50, 'Talk')] }
      const opening = [chapter(0, 60, 'Welcome'), chapter(60, 100, 'Talk')]
      expect(joinChapters([before, talk, rolledOver])).toEqual([
        ...opening,
        chapter(100, 200, 'Resumed'),
        chapter(200, 230, 'End'),
      ])
      expect(joinChapters([before, { ...after, chapters: [] }])).toEqual([...opening, chapter(100, 150, 'Resumed')])
    })

    it('has the title of a marker within the pause', () => {
      const last = joinChapters([before, { ...after, chapters: [chapter(0, 50, 'Questions')] }]).at(-1)
      expect(last).toEqual(chapter(100, 150, 'Questions'))
    })
  })
})
