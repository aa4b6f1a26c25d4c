import { eventCursorOf, eventCursorPattern, eventsAfter } from '../../../lib/api/history/event-cursor.ts'
import type { OwnerEvent } from '../../../lib/events/owner-events.ts'
import { listRecordedEvents } from '../../../lib/operations/notifications/list-events.ts'
import { type ApiEvent, noShow, ok, type Routes, showIdOf } from '../../http/request.ts'

export const eventRoutes = {
  /** Lists events from the records. A caller who accepts only server-sent events gets one short stream of them. */
  async 'GET /shows/{id}/events'(event, services, { query }) {
    const showId = showIdOf(event)
    const state = await services.records.readState(showId)
    if (!state) throw noShow(showId)
    const all = await listRecordedEvents(services, state)
    const isStream = acceptsStream(event)
    const after = query.after ?? (isStream ? lastEventId(event) : undefined)
    const items = after === undefined ? all : eventsAfter(all, after)
    const cursor = eventCursorOf(all)
    return isStream ? streamOf(items, cursor) : ok({ items, cursor })
  },
} satisfies Partial<Routes>

const acceptsStream = ({ headers }: ApiEvent) => /^\s*text\/event-stream\b/i.test(headers.accept ?? '')

/** Returns the cursor that a reconnecting client received last. Anything else is ignored, as the standard asks. */
function lastEventId({ headers }: ApiEvent): string | undefined {
  const given = headers['last-event-id'] ?? ''
  return eventCursorPattern.test(given) ? given : undefined
}

/** Milliseconds after which a client reconnects. */
const RECONNECT = 2_000

/**
 * Returns a stream that ends at once: API Gateway answers whole bodies, and a function that waits is paid for. The last
 * message carries the cursor, with which the client reconnects.
 */
function streamOf(items: readonly OwnerEvent[], cursor: string) {
  const messages = items.map((item, index) =>
    [
      ...(index === items.length - 1 ? [`id: ${cursor}`] : []),
      `event: ${item.event}`,
      `data: ${JSON.stringify(item)}`,
      '',
    ].join('\n'),
  )
  const body = [`retry: ${RECONNECT}\n`, ...messages].join('\n')
  const answer = ok(undefined)
  return { ...answer, headers: { ...answer.headers, 'content-type': 'text/event-stream' }, body: `${body}\n` }
}
