import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { OwnerEvent } from '../../lib/events/owner-events.ts'
import { verifyShowrunnerCallback } from '../../lib/operations/notifications/callback-verifier.ts'

/** Creates an event app that receives callbacks. It verifies each, and accepts each event once. */
export interface EventApp {
  readonly url: string
  /** Accepted events in order of arrival. */
  readonly events: readonly OwnerEvent[]
  /** Every callback that was verified, the repeated and refused ones too. */
  readonly received: readonly string[]
  /** Reasons for refused callbacks. */
  readonly problems: readonly unknown[]
  /** Resolves with the first event that fits. */
  hears(fits: (event: OwnerEvent) => boolean): Promise<OwnerEvent>
  close(): Promise<void>
}

export interface EventAppOptions {
  /** Address of the public keys; asked for once it is needed, since it is known only when the API runs. */
  readonly keys: () => string
  /** Returns true if the app fails when this event arrives for the first time. */
  readonly failsAtFirst?: (event: OwnerEvent) => boolean
}

export async function startEventApp({ keys, failsAtFirst = () => false }: EventAppOptions): Promise<EventApp> {
  const events: OwnerEvent[] = []
  const received: string[] = []
  const problems: unknown[] = []
  const listeners = new Set<(event: OwnerEvent) => void>()

  const server = createServer(async (request, response) => {
    try {
      const signature = request.headers['showrunner-signature']
      const body = await buffer(request)
      const event = await verifyShowrunnerCallback({ signature, body }, { keys: keys(), url })
      const isFirst = !received.includes(event.id)
      received.push(event.id)
      if (isFirst && failsAtFirst(event)) return void response.writeHead(500).end()
      if (!events.some(({ id }) => id === event.id)) {
        events.push(event)
        for (const listener of listeners) listener(event)
      }
      response.writeHead(204).end()
    } catch (error) {
      problems.push(error)
      response.writeHead(403).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/showrunner`

  return {
    url,
    events,
    received,
    problems,
    hears: (fits) =>
      new Promise((resolve) => {
        const look = (event: OwnerEvent) => {
          if (!fits(event)) return
          listeners.delete(look)
          resolve(event)
        }
        listeners.add(look)
        for (const event of events) look(event)
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
