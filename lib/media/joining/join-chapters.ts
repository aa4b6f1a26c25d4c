import type { Chapter } from '../chapters/find-chapters.ts'
import type { Cut } from './plan-cuts.ts'

export interface ChaptersOfPart {
  /** Consecutive chapters; none where nothing divides the part. */
  readonly chapters: readonly Chapter[]
  /** Seconds at which the part ends. */
  readonly end: number
  readonly cut: Cut
}

/** A generated title. */
const NUMBERED = /^Chapter \d+$/

/** Joins the chapters of parts: one at an end continues in the next part, titles get new numbers. None instead of one. */
export function joinChapters(parts: readonly ChaptersOfPart[]): Chapter[] {
  const joined: Chapter[] = []
  for (const { chapters, end, cut } of parts) {
    const [from, until] = [cut.from ?? 0, cut.until ?? end]
    const own = chapters.length > 0 ? chapters : [{ start: 0, end, title: 'Chapter 1' }]
    for (const chapter of own) {
      const start = Math.max(from, chapter.start)
      if (Math.min(until, chapter.end) <= start) continue
      const last = joined.at(-1)
      const moved = { ...chapter, start: start + cut.offset, end: Math.min(until, chapter.end) + cut.offset }
      if (last && chapter.start <= from && cut.from !== undefined) joined.splice(-1, 1, { ...last, end: moved.end })
      else joined.push(moved)
    }
  }
  if (joined.length < 2) return []
  return joined.map((chapter, index) =>
    NUMBERED.test(chapter.title) ? { ...chapter, title: `Chapter ${index + 1}` } : chapter,
  )
}
