import type { TraceEntry } from '../../trace.ts'

/** A call of a function, with what it did. */
export interface Invocation {
  /** Name of its environment, such as `StopShow/2`. */
  readonly caller: string
  /** Position of its beginning in the trace: of two events at the same time, one was first. */
  readonly begin: number
  /** Position of its end. */
  readonly end: number
  /** Its calls and their faults. */
  readonly entries: readonly TraceEntry[]
  /** `done`, or the name of its error. */
  readonly outcome: string
  /** Its end, in milliseconds since the epoch. */
  readonly at: number
}

const BEGIN = /cloud -> (\S+) invoked$/
const END = /\d (\S+) -> cloud (\S+)$/
const FAULT = /fault: (\S+) -> /

/** Invocations by the trace in which they were found: several invariants read those of one trace. */
const known = new WeakMap<readonly TraceEntry[], readonly Invocation[]>()

/** Returns the invocations of functions that ended. An environment handles one at a time. The trace must not change any more. */
export function invocationsIn(trace: readonly TraceEntry[], isWanted = (_caller: string) => true): Invocation[] {
  const found = known.get(trace) ?? findInvocations(trace)
  known.set(trace, found)
  return found.filter(({ caller }) => isWanted(caller))
}

function findInvocations(trace: readonly TraceEntry[]): Invocation[] {
  const open = new Map<string, { readonly begin: number; readonly entries: TraceEntry[] }>()
  return trace.flatMap((entry, place): Invocation[] => {
    const caller = entry.call?.caller ?? entry.refused?.caller ?? FAULT.exec(entry.line)?.[1]
    if (caller !== undefined) open.get(caller)?.entries.push(entry)
    const [, begun] = BEGIN.exec(entry.line) ?? []
    if (begun) open.set(begun, { begin: place, entries: [] })
    const [, over, outcome = ''] = END.exec(entry.line) ?? []
    const ended = over === undefined ? undefined : open.get(over)
    if (over === undefined || !ended) return []
    open.delete(over)
    return [{ caller: over, ...ended, end: place, outcome, at: entry.at }]
  })
}
