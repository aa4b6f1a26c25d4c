import type { Chapter } from '../chapters/find-chapters.ts'
import type { Cut } from './plan-cuts.ts'

export interface ChaptersOfPart {
  /** Consecutive chapters; none where nothing divides the part. */
  readonly chapters: readonly Chapter[]
  /** Seconds at which the part ends. */
  readonly end: number
  readonly cut: Cut
  /** True if the recording was paused before the part, so that a chapter begins with it. @default false */
  readonly isResumed?: boolean
}

/** Seconds by which the time of a marker may differ between parts: the creation times of both may be a second wrong. */
const TOLERANCE = 2
/** Seconds. WebVTT has milliseconds, and refuses a cue that ends where it begins. */
const SHORTEST = 0.001

/** Title of a chapter that begins where a recording resumes. */
const RESUMED = 'Resumed'

const numbered = (index: number) => `Chapter ${index + 1}`

/**
 * Joins the chapters of parts. Chapters at gaps have generated titles: one at a cut continues in the next part, and titles get
 * new numbers. Chapters at markers keep their titles, and one continues in the next part if it has the same title there. A
 * chapter begins where the recording was resumed, with the title of a new marker or else its own. None instead of a single one
 * with a number.
 */
export function joinChapters(parts: readonly ChaptersOfPart[]): Chapter[] {
  const hasMarkers = parts.some(({ chapters }) => chapters.some(({ title }, index) => title !== numbered(index)))
  const joined: Chapter[] = []
  let title: string | undefined // of the marker that the last chapter continues
  for (const { chapters, end, cut, isResumed = false } of parts) {
    let resumes = isResumed
    const [from, until] = [cut.from ?? 0, cut.until ?? end]
    const own = chapters.length > 0 ? chapters : [{ start: 0, end, title: numbered(0) }]
    for (const [index, chapter] of own.entries()) {
      const start = Math.max(from, chapter.start)
      if (Math.min(until, chapter.end) < start + SHORTEST) continue
      const last = joined.at(-1)
      const moved = { start: start + cut.offset, end: Math.min(until, chapter.end) + cut.offset, title: chapter.title }
      const isLast = (one: Chapter) => one.title === title && one.start <= from + TOLERANCE
      const isAtCut = chapter.start <= from
      const next = own[index + 1] // its marker may be before the cut in the part before
      const isContinued = hasMarkers
        ? chapters.length === 0 || isLast(chapter) || (isAtCut && next !== undefined && isLast(next))
        : isAtCut && cut.from !== undefined
      if (resumes)
        joined.push({ ...moved, title: isContinued || chapter.title === numbered(0) ? RESUMED : moved.title })
      else if (last && isContinued) joined.splice(-1, 1, { ...last, end: moved.end })
      else joined.push(moved)
      if (!last || !isContinued) title = chapter.title
      resumes = false
    }
  }
  const titled = hasMarkers ? joined : joined.map(withNumber)
  return titled.length === 1 && titled[0]?.title === numbered(0) ? [] : titled
}

const withNumber = (chapter: Chapter, index: number): Chapter =>
  chapter.title === RESUMED ? chapter : { ...chapter, title: numbered(index) }
