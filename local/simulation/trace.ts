import { createHash } from 'node:crypto'

export interface TraceEntry extends TraceDetails {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Seconds since the simulation began, and what happened. */
  readonly line: string
}

/** Parts of an entry that invariants read, beside its line. */
export interface TraceDetails {
  readonly fault?: string
  /** A call that was answered, by the name of its request: `platform listArchives`, `app POST /events`. */
  readonly call?: { readonly caller: string; readonly name: string; readonly status: number }
}

/** Everything that happened in a simulation, in order. */
export type Trace = ReturnType<typeof createTrace>

/** Ids derived from a hash, which their first digits identify. */
const LONG_ID = /\b([0-9a-f]{8})[0-9a-f]{32}\b/g

/** Creates an empty trace that begins now. */
export function createTrace({ now }: { now(): number }) {
  const start = now()
  const entries: TraceEntry[] = []
  const lines = () => entries.map(({ line }) => line)
  /** Returns the seconds since the simulation began, on its clock. */
  const seconds = () => (now() - start) / 1000
  return {
    entries,
    get lines(): readonly string[] {
      return lines()
    },
    note(words: string, details?: TraceDetails): void {
      const line = `${seconds().toFixed(3).padStart(9)} ${words.replace(LONG_ID, '$1…')}`
      entries.push({ at: now(), line, ...details })
    },
    seconds,
    /** Returns the SHA-256 of all lines, in lower-case hexadecimal. */
    sha256: () => createHash('sha256').update(lines().join('\n')).digest('hex'),
  }
}
