import { createHash } from 'node:crypto'

export interface TraceEntry extends TraceDetails {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Seconds since the simulation began, and what happened. */
  readonly line: string
}

/** Parts of an entry that invariants read, beside its line. */
export interface TraceDetails {
  /** Id of the show for which a function worked. */
  readonly show?: string | undefined
  readonly fault?: string
  /** An event that no show may notice. */
  readonly unnoticed?: string
  /** A call that was answered, by the name of its request: `platform listArchives`, `app POST /events`. */
  readonly call?: TracedCall
  /** A call that was refused on order, and so had no effect. */
  readonly refused?: TracedCall
}

export interface TracedCall {
  readonly caller: string
  readonly name: string
  readonly status: number
  /** Path of its URL. */
  readonly path?: string
  /** Id of the version that S3 wrote. */
  readonly version?: string
}

/** Faults and unnoticed events by the trace in which they were found, with its length then: invariants read them very often. */
const known = new WeakMap<readonly TraceEntry[], { readonly length: number; readonly found: readonly TraceEntry[] }>()

/** Returns the entries of faults and of events that no show may notice, in order. */
export function exceptionsIn(trace: readonly TraceEntry[]): readonly TraceEntry[] {
  const former = known.get(trace)
  if (former?.length === trace.length) return former.found
  const found = trace.filter(({ fault, unnoticed }) => fault !== undefined || unnoticed !== undefined)
  known.set(trace, { length: trace.length, found })
  return found
}

/** Everything that happened in a simulation, in order. */
export type Trace = ReturnType<typeof createTrace>

/** Ids derived from a hash, which their first digits identify. */
const LONG_ID = /\b([0-9a-f]{8})[0-9a-f]{32}\b/g

/** Creates an empty trace that begins now. */
export function createTrace({ now }: { now(): number }) {
  const start = now()
  const entries: TraceEntry[] = []
  const taken = createHash('sha256')
  let hasTaken = false
  const lines = () => entries.map(({ line }) => line)
  /** Returns the seconds since the simulation began, on its clock. */
  const seconds = () => (now() - start) / 1000
  /** The time that was shown last: many entries have one time. */
  let last = { at: Number.NaN, shown: '' }
  const showTime = (at: number) => {
    if (at !== last.at) last = { at, shown: seconds().toFixed(3).padStart(9) }
    return last.shown
  }
  return {
    entries,
    get lines(): readonly string[] {
      return lines()
    },
    note(words: string, details?: TraceDetails): void {
      const at = now()
      entries.push({ at, line: `${showTime(at)} ${words.replace(LONG_ID, '$1…')}`, ...details })
    },
    seconds,
    /** Removes all entries, and returns them. */
    take(): TraceEntry[] {
      if (entries.length > 0) taken.update(`${hasTaken ? '\n' : ''}${lines().join('\n')}`)
      hasTaken ||= entries.length > 0
      return entries.splice(0)
    },
    /** Returns the SHA-256 of all lines, in lower-case hexadecimal. */
    sha256: () =>
      taken
        .copy()
        .update(`${hasTaken && entries.length > 0 ? '\n' : ''}${lines().join('\n')}`)
        .digest('hex'),
  }
}
