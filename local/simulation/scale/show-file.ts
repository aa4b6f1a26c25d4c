import type { BusEvent } from '../../cloud/events/events.ts'
import type { Callback } from '../environment/app/event-app.ts'
import type { TimedStatusChange } from '../environment/watch-resources.ts'
import type { FailedCall } from '../faults/faults.ts'
import type { ExecutionEvidence } from '../invariants/evidence.ts'
import type { VersionEvidence } from '../invariants/stored-objects.ts'
import type { TraceEntry } from '../trace.ts'

/** Observations of one show. They are freed once the show is settled. */
export interface ShowFile {
  readonly showId: string
  readonly sessions: Set<string>
  readonly statusChanges: TimedStatusChange[]
  readonly events: BusEvent[]
  readonly callbacks: Callback[]
  readonly failedCalls: FailedCall[]
  readonly trace: TraceEntry[]
  /** Ended executions, whose histories were checked when they grew. */
  readonly executions: ExecutionEvidence[]
  /** Former versions of its objects that were taken from the bucket, where each live show has tens. */
  readonly versions: VersionEvidence[]
  /** Writes to the bucket since its former versions were last taken. */
  writes: number
  running: number
  /** Number of the check that is scheduled; a later execution makes it void. */
  check: number
}

export const createShowFile = (showId: string): ShowFile => ({
  showId,
  sessions: new Set(),
  statusChanges: [],
  events: [],
  callbacks: [],
  failedCalls: [],
  trace: [],
  executions: [],
  versions: [],
  writes: 0,
  running: 0,
  check: 0,
})

/** Calls of which invariants read caller, name and status: lists, answers of the app, and what people do. */
const READ = /^(platform (listArchives|joinSession|leaveSession)$|api |app )/
/** Calls of which they also read path and version: stops and writes. */
const READ_WHOLE = /^(platform (stop\w+|forceDisconnect)$|s3 (Put|Complete))/
/** Invocations of which they read the beginning and the end. */
const INVOCATION = /StopShow(\/\d+)? (invoked|-> cloud )/

/** Returns the part of an entry that invariants read; undefined for the many that none reads. */
export function readableEntry(entry: TraceEntry): TraceEntry | undefined {
  const { at, line, fault, call, refused } = entry
  if (fault !== undefined) return { at, line: '', fault, ...(refused && { refused }) }
  if (!call) return INVOCATION.test(line) ? { at, line } : undefined
  if (READ_WHOLE.test(call.name)) return { at, line: '', call }
  return READ.test(call.name) ? { at, line: '', call: sameCall(call) } : undefined
}

const calls = new Map<string, NonNullable<TraceEntry['call']>>()

/** Returns one object for all equal calls, of which there are few. */
function sameCall({ caller: numbered, name, status }: NonNullable<TraceEntry['call']>) {
  const caller = numbered.replace(/\/\d+$/, '')
  const shown = name.replace(/[0-9a-f]{40}/, '*')
  const key = `${caller} ${shown} ${status}`
  const known = calls.get(key) ?? { caller, name: shown, status }
  calls.set(key, known)
  return known
}
