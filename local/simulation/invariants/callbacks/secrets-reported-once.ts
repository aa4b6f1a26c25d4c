import type { OwnerEvent } from '../../../../lib/events/owner-events.ts'
import type { Evidence } from '../evidence.ts'

/**
 * Checks that each secret that a scheduled show cannot use is reported to its owner once, however often it is checked. No secret
 * is mended in a simulation. A document that replaces another one is checked again.
 */
export function secretsReportedOnce({ events, apiRequests }: Pick<Evidence, 'events' | 'apiRequests'>): string[] {
  const reports = events
    .map(({ detail }) => detail as OwnerEvent)
    .filter(({ event }) => event === 'secret.invalid')
    .map((one) => ({ ...one, edits: editsBefore(one, apiRequests) }))
  const same = Map.groupBy(reports, ({ showId, name, reason, edits }) => [showId, name, reason, edits].join(' '))
  return [...same.values()].flatMap((all) => {
    const { size } = new Set(all.map(({ id }) => id))
    const { showId = '', name } = all[0] ?? {}
    return size > 1 ? [`the show ${showId.slice(0, 12)} reported ${size} times that ${name} is unusable`] : []
  })
}

/** Returns the number of documents that replaced that of a show before an event. */
const editsBefore = ({ showId, at }: OwnerEvent, requests: Evidence['apiRequests']): number =>
  requests.filter(
    ({ method, path, askedAt }) => method === 'PUT' && path === `/shows/${showId}` && askedAt <= Date.parse(at),
  ).length
