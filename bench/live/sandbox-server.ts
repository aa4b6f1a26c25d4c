import { setTimeout as sleep } from 'node:timers/promises'
import { createPlatformClient } from '../../lib/platform/client/client.ts'
import { createClientToken } from '../../lib/platform/client/client-tokens.ts'
import { PlatformNotFoundError } from '../../lib/platform/client/errors.ts'
import { startSubprocess } from '../subprocess.ts'
import type { MediaServer } from './door.ts'
import type { LiveSandboxMemory, LiveSandboxQuestion, LiveSandboxReady } from './sandbox-process.ts'

/** Milliseconds between two questions. */
const POLL_INTERVAL = 50

export interface MeasuredSandbox extends MediaServer {
  /** Returns the memory after garbage collection. */
  memory(): Promise<LiveSandboxMemory>
}

/** Starts the sandbox with its media engine. */
export async function startSandboxServer(signal: AbortSignal): Promise<MeasuredSandbox> {
  const program = await startSubprocess<LiveSandboxReady>(new URL('./sandbox-process.ts', import.meta.url), {}, signal)
  const { url, apiKey, apiSecret } = program.ready
  const client = createPlatformClient({ baseUrl: url, apiKey, apiSecret })
  return {
    pid: program.pid,
    async openDoor() {
      const [session] = await client.createSession({}, { signal })
      const sessionId = session?.session_id ?? ''
      const token = (role: 'publisher' | 'subscriber') => createClientToken({ apiKey, apiSecret, sessionId, role })
      const tokens = { publisher: await token('publisher'), subscriber: await token('subscriber') }
      return { server: 'sandbox', url: `${url}/sandbox/sessions/${sessionId}`, tokens }
    },
    async untilPublished(door, count) {
      const sessionId = door.url.split('/').at(-1) ?? ''
      for (;;) {
        const streams = await client.listStreams({ sessionId }, { signal }).catch(emptyIfNone)
        if (streams.items.length >= count) return streams.items.map(({ id }) => id)
        await sleep(POLL_INTERVAL, undefined, { signal })
      }
    },
    memory: () => program.ask({ memory: true } satisfies LiveSandboxQuestion),
    async close() {
      await program.ask({ close: true } satisfies LiveSandboxQuestion).catch(() => {}) // an interrupted bench has killed it
      await program[Symbol.asyncDispose]()
    },
  }
}

/** A session without streams is answered 404. */
function emptyIfNone(error: unknown): { items: { id: string }[] } {
  if (error instanceof PlatformNotFoundError) return { items: [] }
  throw error
}
