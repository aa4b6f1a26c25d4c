import type { Clock } from '../../../lib/clock.ts'
import type { OwnerEvent } from '../../../lib/events/owner-events.ts'
import type { Delivery } from './forwarder.ts'
import type { Subscription } from './subscription.ts'

export interface ForwardEventsOptions {
  readonly subscription: Pick<Subscription, 'receive'>
  readonly forward: (event: OwnerEvent) => Promise<Delivery>
  /** Seconds after which a failed delivery is repeated. @default it is not */
  readonly retry?: number | undefined
  /** Seconds to wait for events in one request. Without it, the queue is polled. */
  readonly wait: number
  readonly clock: Pick<Clock, 'now' | 'sleep'>
  readonly signal: AbortSignal
  /** Called after each delivery. @param attempt from 1 */
  readonly onDelivery: (event: OwnerEvent, delivery: ForwardedDelivery, attempt: number) => void
}

/** A delivery, and whether it was the last of an event that the app never accepted. */
export interface ForwardedDelivery extends Delivery {
  /** True if it would be repeated, but the event has reached {@link deliveryBounds}. */
  readonly isGivenUp: boolean
}

/** The bounds of one event's deliveries. A deployment repeats a callback for about a day. */
export const deliveryBounds = {
  maxAttempts: 10,
  /** Seconds since the first attempt. */
  maxAge: 3600,
} as const

/** Milliseconds between polls of a queue that does not wait. */
const POLL_MS = 250

interface Attempt {
  readonly event: OwnerEvent
  readonly attempt: number
  /** Milliseconds since the epoch. */
  readonly firstAt: number
  /** Milliseconds since the epoch. */
  readonly dueAt: number
}

/**
 * Forwards events as they arrive until the signal aborts. Gives an event up at {@link deliveryBounds}.
 * @throws Error when events cannot be received
 */
export async function forwardEvents(options: ForwardEventsOptions): Promise<void> {
  const { subscription, forward, retry, clock, signal, onDelivery } = options
  let pending: Attempt[] = []
  const deliver = async ({ event, attempt, firstAt }: Attempt) => {
    const delivery = await forward(event)
    const isWanted = retry !== undefined && delivery.isRetryable
    const isLast = attempt >= deliveryBounds.maxAttempts || clock.now() - firstAt >= deliveryBounds.maxAge * 1000
    onDelivery(event, { ...delivery, isGivenUp: isWanted && isLast }, attempt)
    if (isWanted && !isLast) pending.push({ event, attempt: attempt + 1, firstAt, dueAt: clock.now() + retry * 1000 })
  }
  while (!signal.aborted) {
    const wait = pending.length > 0 ? Math.min(options.wait, 1) : options.wait
    const events = await subscription.receive(wait, signal)
    const due = pending.filter(({ dueAt }) => dueAt <= clock.now())
    pending = pending.filter((one) => !due.includes(one))
    const arrived = events.map((event) => ({ event, attempt: 1, firstAt: clock.now(), dueAt: 0 }))
    for (const one of [...arrived, ...due]) if (!signal.aborted) await deliver(one)
    if (events.length === 0 && wait === 0) await clock.sleep(POLL_MS, signal)
  }
}
