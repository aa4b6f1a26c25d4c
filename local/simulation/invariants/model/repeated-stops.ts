import type { TimedStatusChange } from '../../environment/watch-resources.ts'
import type { Evidence } from '../evidence.ts'
import { endedStatuses } from '../parts/part-runs.ts'
import { invocationsIn } from './invocations.ts'

/** Tasks that succeed only once everything that they stop has ended. Others leave the rest to the next poll. */
const STOPPING = /^StopShow(\/\d+)?$/
const STOPS = /^platform (stopArchive|stopBroadcast|stopComposer|forceDisconnect)$/
const ENDED: ReadonlySet<string> = new Set([...endedStatuses, 'HANGUP'])
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
  const stopping = invocationsIn(trace, (caller) => STOPPING.test(caller)).filter(({ outcome }) => outcome === 'done')
  return stopping.flatMap(({ entries, caller, at }) => {
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
