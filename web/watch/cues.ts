/** A cue of a WebVTT file. Times are in seconds. */
export interface Cue {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Parses the cues of a WebVTT file that Showrunner wrote or validated. */
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

/** Returns the cue at a time. Its end is exclusive. */
export const cueAt = (cues: readonly Cue[], time: number): Cue | undefined =>
  cues.findLast(({ start, end }) => start <= time && time < end)

/** Parses `01:02:03.456` or `02:03.456`. */
const secondsOf = (text: string) => text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', nbsp: '\u00a0', lrm: '', rlm: '' }

/** Returns the text of a cue without its tags: `<v Anna>Hello` becomes `Anna: Hello`. */
export const plainText = (cue: string): string =>
  cue
    .replace(/<v(?:\.[^\s>]*)?\s+([^>]+)>/g, (_, speaker: string) => `${speaker.trim()}: `)
    .replace(/<[^>]*>/g, '')
    .replace(/&(\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity)
    .replace(/\s*\n\s*/g, ' ')
    .trim()
