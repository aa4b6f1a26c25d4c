import type { TimedStatusChange } from '../../environment/watch-resources.ts'
import type { TraceEntry } from '../../trace.ts'
import type { Evidence } from '../evidence.ts'

/** Tasks that succeed only once everything that they stop has ended. Others leave the rest to the next poll. */
const STOPPING = /^StopShow(\/\d+)?$/
const STOPS = /^platform (stopArchive|stopBroadcast|stopComposer|forceDisconnect)$/
const ENDED: ReadonlySet<string> = new Set([
  'stopped',
  'uploaded',
  'available',
  'failed',
  'expired',
  'deleted',
  'HANGUP',
])
/** An answer to a stop that says that the resource runs on, or nothing. */
const isRefusal = ({ status }: { readonly status: number }) => status === 429 || status >= 500

/**
 * Checks that a throttled or failed stop is not taken for done: the task that stops a show repeats it, or fails and is
 * repeated itself.
 */
export function repeatedStops({ trace, statusChanges }: Pick<Evidence, 'trace' | 'statusChanges'>): string[] {
  const ends = new Map<string, number>()
  for (const { id, connectionId, at } of statusChanges.filter(isEnd))
    for (const one of [id, connectionId]) if (one !== undefined && !ends.has(one)) ends.set(one, at)
  return invocationsIn(trace).flatMap(({ entries, caller, at }) => {
    const last = new Map<string, { readonly status: number; readonly name: string }>()
    for (const { call, refused = call } of entries)
      if (refused?.path && STOPS.test(refused.name)) last.set(refused.path, refused)
    return [...last]
      .filter(([path, call]) => isRefusal(call) && !((ends.get(idIn(path)) ?? Number.POSITIVE_INFINITY) <= at))
      .map(
        ([path, { name, status }]) =>
          `${caller} succeeded although the platform answered ${status} to ${name} of ${idIn(path)}`,
      )
  })
}

const isEnd = ({ status }: TimedStatusChange) => ENDED.has(status)

/** Returns the id of the resource that a request stops. */
const idIn = (path: string) =>
  path
    .replace(/\/(stop)?$/, '')
    .split('/')
    .at(-1) ?? ''

interface Invocation {
  readonly caller: string
  readonly entries: readonly TraceEntry[]
  /** Its end, in milliseconds since the epoch. */
  readonly at: number
}

/** Returns the invocations of stopping tasks that succeeded, with their calls. An environment handles one at a time. */
function invocationsIn(trace: readonly TraceEntry[]): Invocation[] {
  const open = new Map<string, TraceEntry[]>()
  return trace.flatMap((entry): Invocation[] => {
    const caller = entry.call?.caller ?? entry.refused?.caller
    if (caller !== undefined) open.get(caller)?.push(entry)
    const [, begun] = /cloud -> (\S+) invoked$/.exec(entry.line) ?? []
    if (begun && STOPPING.test(begun)) open.set(begun, [])
    const [, over, outcome] = /\d (\S+) -> cloud (\S+)$/.exec(entry.line) ?? []
    if (!over || !open.has(over)) return []
    const entries = open.get(over) ?? []
    open.delete(over)
    return outcome === 'done' ? [{ caller: over, entries, at: entry.at }] : []
  })
}
