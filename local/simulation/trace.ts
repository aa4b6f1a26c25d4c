import { createHash } from 'node:crypto'

/** What happened in a simulation, one line each, with the seconds since it began. */
export interface Trace {
  readonly lines: readonly string[]
  note(words: string): void
  /** Since the simulation began, on its clock. */
  seconds(): number
  /** Of all lines, in lower-case hexadecimal. */
  sha256(): string
}

/** Ids derived from a hash; the first digits tell them apart. */
const LONG_ID = /\b([0-9a-f]{8})[0-9a-f]{32}\b/g

export function createTrace({ now }: { now(): number }): Trace {
  const start = now()
  const lines: string[] = []
  const seconds = () => (now() - start) / 1000
  return {
    lines,
    note(words) {
      lines.push(`${seconds().toFixed(3).padStart(9)} ${words.replace(LONG_ID, '$1…')}`)
    },
    seconds,
    sha256: () => createHash('sha256').update(lines.join('\n')).digest('hex'),
  }
}
