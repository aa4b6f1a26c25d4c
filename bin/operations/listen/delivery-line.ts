import type { OwnerEvent } from '../../../lib/events/owner-events.ts'
import { localClock } from '../../terminal/local-time.ts'
import type { ForwardedDelivery } from './forward-events.ts'

/** Returns one line on a delivery, such as `19:00:05  show.ended  launch succeeded  → 204 in 12 ms`. @param attempt from 1 */
export function deliveryLine(event: OwnerEvent, delivery: ForwardedDelivery, attempt: number): string {
  const { status, ms, problem, isGivenUp } = delivery
  const about = [event.showId ?? event.archiveId, event.name, event.status].filter(Boolean).join(' ')
  const again = attempt > 1 ? ` (attempt ${attempt})` : ''
  const givenUp = isGivenUp ? ' Given up.' : ''
  const answer = `→ ${status ?? 'no answer'} in ${ms} ms${again}${problem ? `: ${problem}` : ''}${givenUp}`
  return `${localClock(event.at)}  ${event.event.padEnd(19)}  ${about}  ${answer}`
}
