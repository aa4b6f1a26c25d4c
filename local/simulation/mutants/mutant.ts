/** A replacement of one range of a file, in UTF-16 units. */
export interface Edit {
  /** Path below the root of the repository. */
  readonly file: string
  readonly start: number
  readonly end: number
  readonly instead: string
}

/** The source with one mistake. */
export interface Mutant {
  /** Description of the mistake. */
  readonly what: string
  readonly kind: string
  /** Position of the first edit: `lib/show/plan/poll-interval.ts:31`. */
  readonly at: string
  /** What is done in several places has to be undone in all of them. */
  readonly edits: readonly Edit[]
  /** A seed that caught it before, which is tried first. */
  readonly seed?: number | undefined
  /** Reason for which no seed catches it: something else has the same effect. */
  readonly harmless?: string | undefined
}

/** Reads a file by its path below the root. */
export type ReadSource = (file: string) => string

/** A mistake by the text that it replaces. */
export interface TextEdit {
  readonly file: string
  readonly text: string
  readonly instead: string
}

/** A plausible mistake, in one line or in every place that does the same. */
export interface Planted {
  readonly what: string
  readonly edits: readonly TextEdit[]
  /** A seed that caught it when this was written, which is tried first. @default the seeds that reach it */
  readonly seed?: number
  /** Reason for which no seed catches it: something else has the same effect. @default it is expected to be caught */
  readonly harmless?: string
}

/** Finds the range of a text. @throws Error when the file does not have it exactly once: mutants have to follow the source */
export function locate({ file, text, instead }: TextEdit, read: ReadSource): Edit {
  const source = read(file)
  const start = source.indexOf(text)
  if (start < 0 || source.indexOf(text, start + 1) >= 0)
    throw new Error(`${file} does not have this text exactly once: ${text}. Write the mutant for the present source.`)
  return { file, start, end: start + text.length, instead }
}

/** Returns the text of every file that a mutant changes, by its path. */
export function mutate({ edits }: Pick<Mutant, 'edits'>, read: ReadSource): Record<string, string> {
  const files: Record<string, string> = {}
  // From the end, so that the offsets of earlier edits hold.
  for (const { file, start, end, instead } of edits.toSorted((one, other) => other.start - one.start)) {
    const source = files[file] ?? read(file)
    files[file] = source.slice(0, start) + instead + source.slice(end)
  }
  return files
}

/** Returns the position of an edit: `lib/show/plan/poll-interval.ts:31`. */
export const positionOf = ({ file, start }: Edit, read: ReadSource) =>
  `${file}:${read(file).slice(0, start).split('\n').length}`

/** Locates the edits of a mistake. @throws Error when the source does not have a text exactly once */
export function toMutant({ what, edits, seed, harmless }: Planted, kind: string, read: ReadSource): Mutant {
  const located = edits.map((edit) => locate(edit, read))
  const [first] = located
  if (!first) throw new Error(`The mistake “${what}” changes nothing.`)
  return { what, kind, at: positionOf(first, read), edits: located, seed, harmless }
}
