/** One cue of a WebVTT file; times in seconds. */
export interface Cue {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The cues of a WebVTT file that Showrunner has written or checked. */
export function readCues(vtt: string): Cue[] {
  return vtt.split(/\r?\n\r?\n/).flatMap((block) => {
    const lines = block.split(/\r?\n/)
    const timing = lines.findIndex((line) => line.includes('-->'))
    const [start, end] = lines[timing]?.split('-->').map((word) => secondsOf(word.trim().split(' ')[0] ?? '')) ?? []
    if (start === undefined || end === undefined) return []
    return {
      start,
      end,
      text: lines
        .slice(timing + 1)
        .join('\n')
        .trimEnd(),
    }
  })
}

/** The cue that is shown at a time. */
export const cueAt = (cues: readonly Cue[], time: number): Cue | undefined =>
  cues.findLast(({ start, end }) => start <= time && time < end)

/** Of `01:02:03.456`, or without the hours. */
const secondsOf = (text: string) => text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
