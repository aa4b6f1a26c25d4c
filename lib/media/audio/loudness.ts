/** Loudness after EBU R128. */
export interface Loudness {
  /** LUFS, of the whole recording, without what is silent. */
  readonly integrated: number
  /** LU between quiet and loud passages (LRA). */
  readonly range: number
  /** dBTP: the highest that the wave reaches between the samples, above 0 where it is cut off. */
  readonly truePeak: number
}

/** The scale ends here; ffmpeg gives it for audio in which nothing is loud enough to be measured. */
const SILENCE_LUFS = -70

/** Reads the summary of ffmpeg's `ebur128` filter, the last one among its words; null for silence. Undefined without one. */
export function parseLoudness(words: string): Loudness | null | undefined {
  const summary = words.slice(words.lastIndexOf('Integrated loudness:'))
  const figure = (pattern: RegExp) => Number((pattern.exec(summary)?.[1] ?? 'nan').replace('inf', 'Infinity'))
  const integrated = figure(/I:\s+(\S+) LUFS/)
  const range = figure(/LRA:\s+(\S+) LU/)
  const truePeak = figure(/Peak:\s+(\S+) dBFS/)
  if ([integrated, range, truePeak].some(Number.isNaN)) return undefined
  return integrated > SILENCE_LUFS ? { integrated, range, truePeak } : null
}
