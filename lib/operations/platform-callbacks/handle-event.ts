import type { PlatformEvent } from '../../events/platform-events.ts'
import type { Services, TaskRun } from '../../services.ts'
import { noteAnswer, noteCall, noteConnection } from '../../show/dial-ins/dial-in-events.ts'
import { keys } from '../../show/state/keys.ts'

type Handling = Pick<
  Services,
  'platform' | 'storage' | 'platformEvents' | 'records' | 'shows' | 'showSecrets' | 'clock' | 'newId'
>

/** Notes a platform event in its show and publishes it. That it was handled is written last; its id marks duplicates. */
export const handlePlatformEvent: TaskRun<'handleCallback', keyof Handling> = async (services, { detail }) => {
  const { storage, platformEvents } = services
  const event = detail as PlatformEvent
  const { id, kind, receivedAt } = event
  const key = keys.platformCallback(id)
  if ((await storage.sizeOf(key)) !== undefined) return { outcome: 'done before' }
  await note(services, event)
  await platformEvents.publish(event)
  await storage.writeDocument(key, { version: 1, kind, receivedAt }, undefined)
  return { outcome: 'done' }
}

/** The callbacks of a call complete the entry of a dial-in whose answer was lost. */
async function note(services: Handling, { kind, callback }: PlatformEvent): Promise<void> {
  if (kind === 'connection') await noteConnection(services, callback as never)
  if (kind !== 'call') return
  await noteCall(services, callback as never)
  await noteAnswer(services, callback as never)
}
