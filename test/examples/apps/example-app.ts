import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { vi } from 'vitest'
import { realClock } from '../../../lib/clock.ts'
import type { OwnerEvent } from '../../../lib/events/owner-events.ts'
import { createCallbackKeys } from '../../../lib/operations/notifications/callback-keys.ts'
import { createOwnerCallbacks } from '../../../lib/operations/notifications/owner-callbacks.ts'
import type { ShowResult } from '../../../lib/show/state/result.ts'
import { listen } from '../../../local/cloud/server.ts'
import { sendTo, TOKEN } from '../../lib/client/world-client.ts'
import { CALLBACK_KEY, openWorld, START_TIME, type World } from '../../support/world.ts'

/** Opens a world, and serves its API at an address. What apps read from the environment names it. */
export async function startApi() {
  const world = openWorld()
  const server = await listen((request) => sendTo(world, request))
  const { fetch } = globalThis
  // Links of the world lead to a bucket in this process.
  vi.stubGlobal('fetch', async (...given: Parameters<typeof fetch>) => {
    const { host, href } = new URL(given[0] instanceof Request ? given[0].url : String(given[0]))
    return host === '127.0.0.1' ? world.openLink(href) : fetch(...given)
  })
  setEnvironment({ SHOWRUNNER_URL: server.url, SHOWRUNNER_TOKEN: TOKEN, PORT: '0' })
  return {
    world,
    url: server.url,
    async close() {
      vi.unstubAllGlobals()
      vi.unstubAllEnvs()
      await server.close()
      world.close()
    },
  }
}

export function setEnvironment(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
}

/** Records what an app prints, without the log lines of functions. */
export function recordPrinted(): string[] {
  const printed: string[] = []
  for (const method of ['log', 'error'] as const)
    vi.spyOn(console, method).mockImplementation((line) => {
      if (!String(line).startsWith('{"level":')) printed.push(String(line))
    })
  return printed
}

/** Returns requests to an app that listens. */
export function requestsTo(server: Server) {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const answerOf = async (response: Response) => {
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const location = response.headers.get('location')
    return { status: response.status, location, body: isJson ? JSON.parse(text) : text }
  }
  return {
    get: async (path: string) => answerOf(await fetch(url + path, { redirect: 'manual' })),
    post: async (path: string) => answerOf(await fetch(url + path, { method: 'POST' })),
    /** Closes the app. */
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
    url,
  }
}

/** Returns the keys that the API of a world publishes, from another seed those of a stranger. */
const keysOf = (secret: string) =>
  createCallbackKeys({
    secrets: {
      readStage: async (_id, _shape, at) =>
        at === 'AWSCURRENT' ? { value: { secret } as never, createdAt: 0 } : undefined,
    },
    secretId: 'key',
    clock: realClock,
  })

/** Returns a function that posts events as Showrunner does, now, and returns the status of each answer. */
export function createPost(send: typeof fetch = fetch, seed = CALLBACK_KEY) {
  const secret = 'of the deployment, with 32 characters'
  const callbacks = createOwnerCallbacks({
    secrets: { read: async (_id, shape) => shape.parse({ secret }) as never },
    secretId: 'callbacks',
    keys: keysOf(seed),
    showSecrets: { resolve: async () => '' },
    clock: realClock,
    fetch: send,
  })
  let count = 0
  return async (url: string, event: Pick<OwnerEvent, 'event'> & Partial<OwnerEvent>): Promise<number> => {
    const { status } = await callbacks.post({ url }, { id: `event-${++count}`, at: START_TIME, ...event })
    return status
  }
}

/** Ends a show that the API of a world accepted. */
export const endShow = (world: World, showId: string, changes: Partial<ShowResult> = {}) =>
  world.services.records.writeResult({
    ...{ version: 1, showId, name: 'A show', status: 'succeeded', reason: 'Ended as planned.', labels: {} },
    ...{ acceptedAt: START_TIME, reportedAt: START_TIME },
    ...{ recordings: [], broadcasts: [], scenes: [], dialIns: [], automaticArchives: [], timeline: [] },
    ...changes,
  })
