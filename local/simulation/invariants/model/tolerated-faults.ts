import { exceptionsIn, type TraceEntry } from '../../trace.ts'
import type { Evidence } from '../evidence.ts'
import { invocationsIn } from './invocations.ts'

/** Faults of a call that the client of the platform repeats, or after which its caller looks for what the call has made. */
const REPEATED: ReadonlySet<string> = new Set(['lost before', 'lost after', '429', '500'])
/** The fault of a downloaded file, which is not one of a call. */
const DAMAGE = 'damaged download'
/**
 * Calls that make another thing each time: their tasks are repeated later, after they have looked for what the first one has made. A
 * file that is played is not repeated either.
 */
const UNREPEATABLE = /^platform (startComposer|dial|createProject|refreshSecret|play)$/
/** Outcomes that no fault of a call causes: a show that was stopped meanwhile starts nothing, and damaged media cannot be read. */
const UNCAUSED: ReadonlySet<string> = new Set(['done', 'ShowStoppedError', 'MediaError'])

/**
 * Checks that a single fault of a call of the platform does not fail the invocation that makes the call. The platform may refuse
 * the repeated call, or another one, for its own reason. It has no such reason if the call had succeeded.
 */
export function toleratedFaults({ trace, statusChanges }: Pick<Evidence, 'trace' | 'statusChanges'>): string[] {
  const outages = outagesIn(trace)
  return invocationsIn(trace).flatMap(({ caller, entries, outcome, at, begin, end }) => {
    const [single, second] = entries.filter(({ fault }) => fault !== undefined)
    const [, operation] = / -> (platform \S+) /.exec(single?.line ?? '') ?? []
    if (UNCAUSED.has(outcome) || !single || second || operation === undefined) return []
    if (trace.slice(begin, end).some(({ fault }) => fault === DAMAGE)) return []
    if (UNREPEATABLE.test(operation) || !REPEATED.has(single.fault ?? '') || isRefused(entries, single, operation))
      return []
    if (waitsForShows(caller, entries, single, operation)) return []
    if (waitsForUploads(caller, entries, single, operation) && isUploadUnderWay(statusChanges, at)) return []
    if (outages.some(({ from, to }) => from <= at && to >= (trace[begin]?.at ?? at))) return []
    return [`${caller} failed with ${outcome} at ${new Date(at).toISOString()}, after ${single.line.trim()}`]
  })
}

/** Matches the fault of a platform that restarts. */
const OUTAGE = /fault: the platform is gone for (\S+) s/

/** Returns the times in which the platform was gone: every call was refused, and none of them is noted as a fault. */
const outagesIn = (trace: readonly TraceEntry[]) =>
  exceptionsIn(trace).flatMap(({ line, at }) => {
    const [, seconds] = OUTAGE.exec(line) ?? []
    return seconds === undefined ? [] : [{ from: at, to: at + Number(seconds) * 1000 }]
  })

/**
 * Returns true for a rotation of the upload key that found an archive whose upload may use the former key: it ends after it has
 * listed the archives, and the call that a fault struck was repeated with success.
 */
function waitsForUploads(
  caller: string,
  entries: readonly TraceEntry[],
  fault: TraceEntry,
  operation: string,
): boolean {
  const last = entries.findLast(({ call }) => call !== undefined)?.call
  return (
    /^RotateUploadKey(\/\d+)?$/.test(caller) &&
    last?.name === 'platform listArchives' &&
    last.status < 300 &&
    wasRepeated(entries, fault, operation)
  )
}

const wasRepeated = (entries: readonly TraceEntry[], fault: TraceEntry, operation: string) =>
  (entries.slice(entries.indexOf(fault)).findLast(({ call }) => call?.name === operation)?.call?.status ?? 500) < 300

/** The last call of a rotation of the project secret that waits for shows: it lets them start again. */
const UNLOCKS = /DeleteObject rotation-lock\.json -> 204$/

const FINDS_SHOWS = /ListObjectsV2 index\/unfinished\/ -> 200$/

/** Returns true for a rotation of the project secret that waits for a show, after a call that a fault struck was repeated with success. */
const waitsForShows = (caller: string, entries: readonly TraceEntry[], fault: TraceEntry, operation: string): boolean =>
  /^RotateProjectSecret(\/\d+)?$/.test(caller) &&
  entries.some(({ line }) => UNLOCKS.test(line)) &&
  entries.some(({ line }) => FINDS_SHOWS.test(line)) &&
  !entries.some(({ call }) => call?.name === 'platform refreshSecret') &&
  wasRepeated(entries, fault, operation)

const UNDER_WAY: ReadonlySet<string> = new Set(['started', 'paused', 'stopped'])

function isUploadUnderWay(changes: Evidence['statusChanges'], time: number): boolean {
  const latest = new Map(
    changes.filter(({ kind, at }) => kind === 'archive' && at <= time).map(({ id, status }) => [id, status]),
  )
  return [...latest.values()].some((status) => UNDER_WAY.has(status))
}

function isRefused(entries: readonly TraceEntry[], fault: TraceEntry, operation: string): boolean {
  const calls = entries.flatMap(({ call }) => call ?? [])
  const struck = entries.slice(entries.indexOf(fault)).find(({ call }) => call?.name === operation)?.call
  const hasSucceeded = fault.fault === 'lost after' && (struck?.status ?? 0) < 300
  return calls.some(
    ({ name, status }) =>
      name.startsWith('platform ') && status >= 400 && status < 500 && !(hasSucceeded && name === operation),
  )
}
