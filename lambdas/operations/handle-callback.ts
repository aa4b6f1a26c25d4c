import type { PlatformEvent } from '../../lib/events/platform-events.ts'
import type { Services } from '../../lib/services.ts'
import { noteAnswer, noteCall, noteConnection } from '../../lib/show/dial-ins/dial-in-events.ts'
import { keys } from '../../lib/show/state/keys.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

/**
 * Puts an event on the bus before it records that it did, so that an interrupted attempt is repeated whole; the event's id
 * tells that it is the same.
 */
export async function handleCallback(
  { detail }: TaskInput<'handleCallback'>,
  services: Services,
): Promise<TaskOutput<'handleCallback'>> {
  const { storage, platformEvents } = services
  const event = detail as PlatformEvent
  const { id, kind, receivedAt } = event
  const key = keys.platformCallback(id)
  if ((await storage.sizeOf(key)) !== undefined) return { outcome: 'done before' }
  await note(event, services)
  await platformEvents.tell(event)
  await storage.writeDocument(key, { version: 1, kind, receivedAt }, undefined)
  return { outcome: 'done' }
}

/** A call whose answer was lost is found by its callbacks. */
async function note({ kind, callback }: PlatformEvent, services: Services): Promise<void> {
  if (kind === 'connection') await noteConnection(services, callback as never)
  if (kind !== 'call') return
  await noteCall(services, callback as never)
  await noteAnswer(services, callback as never)
}

export const handler = taskHandler('handleCallback', handleCallback)
