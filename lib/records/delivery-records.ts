import { createHash } from 'node:crypto'
import type { Storage } from '../aws/storage/storage.ts'
import { type Delivery, type DeliveryAttempt, delivery, MAX_ATTEMPTS } from '../events/delivery.ts'
import type { OwnerEvent } from '../events/owner-events.ts'
import { keys } from '../show/state/keys.ts'
import { readStored } from './stored-documents.ts'

type Bucket = Pick<Storage, 'readDocument' | 'writeDocument'>

/** Returns the id of the delivery of an event, which can be a segment of a path. */
export const deliveryIdOf = (eventId: string) => createHash('sha256').update(eventId).digest('hex').slice(0, 32)

/** Reads the attempts to deliver an event; undefined before the first. */
export const readDelivery = async (
  storage: Bucket,
  showId: string,
  deliveryId: string,
): Promise<Delivery | undefined> => (await readStored(storage, keys.delivery(showId, deliveryId), delivery))?.document

/** Adds attempts to the record of a delivery. Of concurrent calls each adds its own. */
export async function noteAttempts(
  storage: Bucket,
  showId: string,
  event: OwnerEvent,
  attempts: readonly DeliveryAttempt[],
): Promise<void> {
  if (attempts.length === 0) return
  const deliveryId = deliveryIdOf(event.id)
  const key = keys.delivery(showId, deliveryId)
  for (;;) {
    const stored = await readStored(storage, key, delivery)
    const all = [...(stored?.document.attempts ?? []), ...attempts]
    const kept = all.slice(-MAX_ATTEMPTS)
    const omitted = (stored?.document.omitted ?? 0) + all.length - kept.length
    const next: Delivery = { version: 1, deliveryId, event, attempts: kept, ...(omitted > 0 && { omitted }) }
    if (await storage.writeDocument(key, next, stored?.etag)) return
  }
}
