import { z } from 'zod'
import { ownerEvent } from './owner-events.ts'

/** One request to the callback of a show. */
const deliveryAttempt = z.object({
  at: z.iso.datetime().describe('When it was sent.'),
  duration: z.number().describe('Seconds until the answer, or until the attempt was given up.'),
  status: z.int().optional().describe('Status of the answer; absent without one.'),
  problem: z.string().optional().describe('Why there is no answer: TIMEOUT, or the code of the failed connection.'),
  keyId: z.string().describe('Id of the key pair that signed the request.'),
  verified: z.boolean().describe('True if the signature verified with the published keys when it was sent.'),
})
export type DeliveryAttempt = z.output<typeof deliveryAttempt>

/** `deliveries/<id>.json` of a show: the attempts to deliver one owner event to its callback. */
export const delivery = z.object({
  version: z.literal(1),
  deliveryId: z.string(),
  /** The last body that was sent. */
  event: ownerEvent,
  /** The newest last. */
  attempts: z.array(deliveryAttempt),
  /** Number of older attempts, which the record no longer holds. */
  omitted: z.int().optional(),
})
export type Delivery = z.output<typeof delivery>

/** Attempts that a record holds. The retries of a day are fewer. */
export const MAX_ATTEMPTS = 100

/** Source of replays on the stack's own bus. Only the notification machine receives them. */
export const REPLAY_SOURCE = 'showrunner.replay'
