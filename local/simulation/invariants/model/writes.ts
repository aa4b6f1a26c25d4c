import type { TraceEntry } from '../../trace.ts'

export interface Write {
  readonly caller: string
  /** Position in the trace: of two writes at the same time, one was first. */
  readonly order: number
}

/** Returns the writes to the bucket by the ids of the versions that they made. */
export function writesOf(trace: readonly TraceEntry[]): ReadonlyMap<string, Write> {
  const writes = new Map<string, Write>()
  for (const [order, { call }] of trace.entries())
    if (call?.version && /^s3 (Put|Complete)/.test(call.name)) writes.set(call.version, { caller: call.caller, order })
  return writes
}
