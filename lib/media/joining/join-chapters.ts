import type { Chapter } from '../chapters/find-chapters.ts'
import type { Cut } from './plan-cuts.ts'

export interface ChaptersOfPart {
  /** Consecutive chapters; none where nothing divides the part. */
  readonly chapters: readonly Chapter[]
  /** Seconds at which the part ends. */
  readonly end: number
  readonly cut: Cut
}

/** A chapter of the joined recording. A generated title is numbered again. */
interface Joined extends Chapter {
  readonly isNumbered: boolean
}

const numbered = (index: number) => `Chapter ${index + 1}`

/**
 * Joins the chapters of parts: one at an end continues in the next part, generated titles get new numbers. None instead of one
 * with such a title.
 */
export function joinChapters(parts: readonly ChaptersOfPart[]): Chapter[] {
  const joined: Joined[] = []
  for (const { chapters, end, cut } of parts) {
    const [from, until] = [cut.from ?? 0, cut.until ?? end]
    const own = chapters.length > 0 ? chapters : [{ start: 0, end, title: numbered(0) }]
    for (const [index, chapter] of own.entries()) {
      const start = Math.max(from, chapter.start)
      if (Math.min(until, chapter.end) <= start) continue
      const last = joined.at(-1)
      const moved = {
        ...{ start: start + cut.offset, end: Math.min(until, chapter.end) + cut.offset, title: chapter.title },
        isNumbered: chapter.title === numbered(index),
      }
      if (last && chapter.start <= from && cut.from !== undefined) joined.splice(-1, 1, { ...last, end: moved.end })
      else joined.push(moved)
    }
  }
  if (joined.length === 1 && joined[0]?.isNumbered) return []
  return joined.map(({ isNumbered, ...chapter }, index) =>
    isNumbered ? { ...chapter, title: numbered(index) } : chapter,
  )
}
