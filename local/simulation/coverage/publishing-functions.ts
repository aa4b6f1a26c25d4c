import { names } from '../../../lib/show/document/fields/names.ts'
import { lambdaOf, type TaskName, tasks } from '../../../lib/tasks/tasks.ts'
import type { CallSite } from '../faults/fault.ts'

const functions: ReadonlySet<string> = new Set(
  (Object.keys(tasks) as TaskName[])
    .filter((task) => /^(publish|clips)\//.test(lambdaOf(task)))
    .map((task) => names.substitution(task)),
)

/** The state of calls that start a function of publishing. */
const PUBLISHING = 'publishing'

/**
 * Returns the place of a call of publishing: the function that makes it. Publishing runs beside shows, so that their state does
 * not matter. Undefined for any other call.
 */
export function publishingPlaceOf({ caller, operation }: Pick<CallSite, 'caller' | 'operation'>): string | undefined {
  if (functions.has(caller)) return caller
  return operation.startsWith('lambda ') && functions.has(operation.slice('lambda '.length)) ? PUBLISHING : undefined
}

/** Returns true for a site of publishing. */
export function isOfPublishing(site: string): boolean {
  const place = site.split(' @ ').at(-1) ?? ''
  return place === PUBLISHING || functions.has(place)
}
