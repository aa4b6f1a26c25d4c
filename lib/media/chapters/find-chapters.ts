import { webVttTime } from '../captions/web-vtt-time.ts'
import type { TimeRange } from '../time-range.ts'

export interface Chapter extends TimeRange {
  readonly title: string
}

export interface FindChaptersOptions {
  /** Seconds of the whole recording. */
  readonly duration: number
  /** Each in order and apart from one another. */
  readonly silences: readonly TimeRange[]
  readonly blacks: readonly TimeRange[]
  /** Seconds that a chapter lasts at least; by default a minute, and so long that there are no more than fifty. */
  readonly shortestChapter?: number
}

/** From how many seconds on a gap parts chapters; the first kinds come first where two gaps are too close to one another. */
const MIN_GAP = { blackAndSilent: 1, black: 2, silent: 5 } as const
const KINDS = ['blackAndSilent', 'black', 'silent'] as const

const MIN_CHAPTER = 60
const MAX_CHAPTERS = 50

/**
 * Parts a recording into chapters where it is black, silent, or both for a while: black and silent for 1 s, black alone for
 * 2 s, silent alone for 5 s (speakers pause for less). A chapter begins where the gap ends; of gaps too close to one another
 * for the chapter between them, black and silent wins over black, black over silence, and then the longer. Chapters follow
 * one another from 0 to the end; none, when there would be only one. Titles are numbers, since nobody has named them.
 */
export function findChapters({ duration, silences, blacks, shortestChapter }: FindChaptersOptions): Chapter[] {
  const shortest = shortestChapter ?? Math.max(MIN_CHAPTER, duration / MAX_CHAPTERS)
  const starts = [0]
  for (const { end } of rankGaps(silences, blacks)) {
    if ([...starts, duration].every((other) => Math.abs(other - end) >= shortest)) starts.push(end)
  }
  if (starts.length === 1) return []
  starts.sort((a, b) => a - b)
  return starts.map((start, n) => ({ start, end: starts[n + 1] ?? duration, title: `Chapter ${n + 1}` }))
}

function rankGaps(silences: readonly TimeRange[], blacks: readonly TimeRange[]): TimeRange[] {
  const both = overlaps(silences, blacks)
  const alone = (stretches: readonly TimeRange[]) =>
    stretches.filter(({ start, end }) => !both.some((gap) => gap.start < end && gap.end > start))
  const found = { blackAndSilent: both, black: alone(blacks), silent: alone(silences) }
  return KINDS.flatMap((kind) =>
    found[kind]
      .filter(({ start, end }) => end - start >= MIN_GAP[kind])
      .sort((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start),
  )
}

/** Where both are the case, for long enough to be a gap. */
function overlaps(silences: readonly TimeRange[], blacks: readonly TimeRange[]): TimeRange[] {
  const found: TimeRange[] = []
  for (let s = 0, b = 0; s < silences.length && b < blacks.length; ) {
    const [silence, black] = [silences[s] as TimeRange, blacks[b] as TimeRange]
    const both = { start: Math.max(silence.start, black.start), end: Math.min(silence.end, black.end) }
    if (both.end - both.start >= MIN_GAP.blackAndSilent) found.push(both)
    if (silence.end < black.end) s += 1
    else b += 1
  }
  return found
}

/** Chapters as players read them: WebVTT of the kind `chapters`. */
export function writeChapters(chapters: readonly Chapter[]): string {
  const cues = chapters.map(({ start, end, title }) => `${webVttTime(start)} --> ${webVttTime(end)}\n${title}\n`)
  return ['WEBVTT\n', ...cues].join('\n')
}
