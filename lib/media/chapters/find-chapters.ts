import { webVttTime } from '../captions/web-vtt-time.ts'
import type { TimeRange } from '../time-range.ts'

export interface Chapter extends TimeRange {
  /** In WebVTT: `&`, `<` and `>` are escaped. */
  readonly title: string
}

export interface FindChaptersOptions {
  /** Seconds of the whole recording. */
  readonly duration: number
  /** Both in order, without overlap. */
  readonly silences: readonly TimeRange[]
  readonly blacks: readonly TimeRange[]
  /** Minimum duration of a chapter in seconds. @default a minute, or a fiftieth of the recording */
  readonly shortestChapter?: number
}

/** Minimum seconds of a gap that separates chapters. The kinds are in order of precedence. */
const MIN_GAP = { blackAndSilent: 1, black: 2, silent: 5 } as const
const KINDS = ['blackAndSilent', 'black', 'silent'] as const

const MIN_CHAPTER = 60
const MAX_CHAPTERS = 50

/**
 * Divides a recording into chapters at gaps: black and silent for 1 s, black for 2 s, or silent for 5 s (speakers pause
 * for less). A chapter begins where the gap ends. Of gaps too close to each other, black and silent wins over black,
 * black over silence, and then the longer gap. Chapters are consecutive from 0 to the end; a single one is left out.
 * Titles are numbers.
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

/** Seconds. WebVTT has milliseconds, and refuses a cue that ends where it begins. */
const SHORTEST = 0.5

/**
 * Divides a recording at markers. Before the first one is a chapter with a number. A marker before the start names the chapter
 * at the start. Of several at about the same time, the last counts.
 * @param markers in order; they may be outside the recording
 */
export function chaptersAt(
  markers: readonly { readonly at: number; readonly title: string }[],
  duration: number,
): Chapter[] {
  const named = markers.map(({ at, title }) => ({ start: Math.max(0, at), title: escaped(title) }))
  const starts = [{ start: 0, title: 'Chapter 1' }, ...named].filter(
    ({ start }, index, all) => Math.min(all[index + 1]?.start ?? duration, duration) - start >= SHORTEST,
  )
  if (starts.length === 1 && starts[0]?.title === 'Chapter 1') return []
  return starts.map(({ start, title }, index) => ({
    ...{ start: index === 0 ? 0 : start, end: starts[index + 1]?.start ?? duration },
    title,
  }))
}

/** Returns a text for WebVTT. */
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function rankGaps(silences: readonly TimeRange[], blacks: readonly TimeRange[]): TimeRange[] {
  const both = overlaps(silences, blacks)
  const alone = (passages: readonly TimeRange[]) =>
    passages.filter(({ start, end }) => !both.some((gap) => gap.start < end && gap.end > start))
  const found = { blackAndSilent: both, black: alone(blacks), silent: alone(silences) }
  return KINDS.flatMap((kind) =>
    found[kind]
      .filter(({ start, end }) => end - start >= MIN_GAP[kind])
      .sort((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start),
  )
}

/** Returns the passages that are both silent and black for long enough to be a gap. */
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

/** Writes chapters as players read them: WebVTT of the kind `chapters`. */
export function writeChapters(chapters: readonly Chapter[]): string {
  const cues = chapters.map(({ start, end, title }) => `${webVttTime(start)} --> ${webVttTime(end)}\n${title}\n`)
  return ['WEBVTT\n', ...cues].join('\n')
}
