/** Loudness as EBU R128 defines it. */
export interface Loudness {
  /** LUFS of the whole recording, without silent passages. */
  readonly integrated: number
  /** LU between quiet and loud passages (LRA). */
  readonly range: number
  /** dBTP: the highest value of the wave between samples; above 0 where it is clipped. */
  readonly truePeak: number
}

/** LUFS; the lowest value of the scale. ffmpeg reports it for audio that is too quiet to measure. */
const SILENCE_LUFS = -70

/** Parses the last summary of ffmpeg's `ebur128` filter; null for silence, undefined without a summary. */
export function parseLoudness(words: string): Loudness | null | undefined {
  const summary = words.slice(words.lastIndexOf('Integrated loudness:'))
  const figure = (pattern: RegExp) => Number((pattern.exec(summary)?.[1] ?? 'nan').replace('inf', 'Infinity'))
  const integrated = figure(/I:\s+(\S+) LUFS/)
  const range = figure(/LRA:\s+(\S+) LU/)
  const truePeak = figure(/Peak:\s+(\S+) dBFS/)
  if ([integrated, range, truePeak].some(Number.isNaN)) return undefined
  return integrated > SILENCE_LUFS ? { integrated, range, truePeak } : null
}
