import type { Deliveries } from '../../lib/client/documents.ts'
import { localMinute } from '../terminal/local-time.ts'
import { columns, oneLine } from './terminal-text.ts'

type Delivery = Deliveries['items'][number]

/** Formats deliveries as a table: one line for each, with its last attempt. */
export function deliveryLines(deliveries: readonly Delivery[]): string[] {
  if (deliveries.length === 0) return ['No event has happened yet.']
  const rows = deliveries.map(({ deliveryId, status, event, attempts }) => [
    deliveryId,
    localMinute(event.at),
    oneLine([event.event, event.name].filter(Boolean).join(' ')),
    status,
    lastOf(attempts),
  ])
  return columns([['DELIVERY', 'TIME', 'EVENT', 'STATUS', 'LAST ATTEMPT'], ...rows])
}

function lastOf(attempts: Delivery['attempts']): string {
  const last = attempts.at(-1)
  if (!last) return ''
  const answer = last.status === undefined ? (last.problem ?? 'no answer') : String(last.status)
  const signature = last.verified ? '' : ', its signature did not verify'
  return `${attempts.length}: ${answer} after ${last.duration.toFixed(2)} s${signature}`
}
