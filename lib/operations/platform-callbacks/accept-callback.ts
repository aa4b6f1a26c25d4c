import { createHash } from 'node:crypto'
import { platformEvents, type Receiver, receivers } from '../../events/platform-events.ts'
import type { Services } from '../../services.ts'
import { readPlatformCallback } from './platform-callbacks.ts'

/** A received callback: its `Authorization` header, and its body byte for byte. */
interface ReceivedBody {
  readonly authorization?: string | undefined
  readonly body: Buffer
}

/** The reason why a callback is refused. The platform does not repeat a callback that is refused with 404 or 422. */
interface Refusal {
  readonly status: 401 | 404 | 422
  readonly detail: string
}

/**
 * Verifies a callback of the platform and queues its event, which `handleCallback` handles. The answer so does not wait for a
 * show's state when a thousand participants join at once. Verifying is first: it costs no call, and forged callbacks fill no queue.
 * @returns undefined when the callback was accepted
 */
export async function acceptCallback(
  services: Pick<Services, 'platformCallbacks' | 'platformEvents' | 'clock'>,
  receiver: Receiver,
  { authorization, body }: ReceivedBody,
): Promise<Refusal | undefined> {
  const verification = Object.hasOwn(receivers, receiver)
    ? await services.platformCallbacks.verify(receiver, { authorization, body })
    : ({ is: 'unregistered' } as const)
  if (verification.is === 'unregistered') return { status: 404, detail: 'No callback of this kind is registered here.' }
  if (verification.is === 'untrusted') return { status: 401, detail: verification.reason }

  const posted = readPlatformCallback(body)
  if ('problem' in posted) return { status: 422, detail: posted.problem }
  const { kind, event } = posted
  if (!(receivers[receiver] as readonly string[]).includes(kind))
    return { status: 422, detail: `${receiver} does not take the event ${event.event}.` }
  const id = createHash('sha256').update(body).digest('hex')
  const receivedAt = new Date(services.clock.now()).toISOString()
  const callback = platformEvents[kind].shape.callback.parse(event)
  await services.platformEvents.queue({ version: 1, kind, id, receivedAt, callback } as never)
  return undefined
}
