import { setTimeout as sleep } from 'node:timers/promises'
import { createPlatformClient } from '../../lib/platform/client/client.ts'
import { createClientToken } from '../../lib/platform/client/client-tokens.ts'
import { openJanusHandle } from '../live/janus-handle.ts'
import { startJanusProcess } from '../live/janus-server.ts'
import type { LiveSandboxQuestion, LiveSandboxReady } from '../live/sandbox-process.ts'
import { startSubprocess } from '../subprocess.ts'
import type { PhonesReady } from './phones-process.ts'

/** A server that mixes the audio of phones, in a separate process. */
export interface Bridge {
  readonly pid: number
  /** Connects all phones. Returns the ports to which they send, unless signaling has named them. */
  connect(phones: PhonesReady): Promise<readonly number[] | undefined>
  close(): Promise<void>
}

/** Milliseconds between two questions. */
const POLL_INTERVAL = 50
/** Packets that the audiobridge collects before it plays a phone. Its default is 6. */
const PREBUFFER = 2

/** Starts the sandbox, which dials the phones into one session. */
export async function startSandboxBridge(signal: AbortSignal): Promise<Bridge> {
  const file = new URL('../live/sandbox-process.ts', import.meta.url)
  const program = await startSubprocess<LiveSandboxReady>(file, {}, signal)
  const { url, apiKey, apiSecret } = program.ready
  const client = createPlatformClient({ baseUrl: url, apiKey, apiSecret })
  return {
    pid: program.pid,
    async connect({ sipPort, ports }) {
      const [session] = await client.createSession({}, { signal })
      const sessionId = session?.session_id ?? ''
      const token = await createClientToken({ apiKey, apiSecret, sessionId, role: 'publisher' })
      for (const index of ports.keys())
        await client.dial({ sessionId, token, sip: { uri: `sip:${index}@127.0.0.1:${sipPort}` } }, { signal })
      for (;;) {
        const answer = await fetch(`${url}/sandbox/sessions/${sessionId}/calls`, { signal })
        const { items } = (await answer.json()) as { items: { state: string }[] }
        if (items.every(({ state }) => state === 'ACTIVE')) return undefined
        await sleep(POLL_INTERVAL, undefined, { signal })
      }
    },
    async close() {
      await program.ask({ close: true } satisfies LiveSandboxQuestion).catch(() => {}) // an interrupted bench has killed it
      await program[Symbol.asyncDispose]()
    },
  }
}

/** Starts Janus, whose plugin audiobridge mixes the phones of one room at 16 kHz. */
export async function startJanusBridge(path: string, signal: AbortSignal): Promise<Bridge> {
  const { pid, url, close } = await startJanusProcess(path, signal)
  return {
    pid,
    close,
    async connect({ ports }) {
      const { ask } = await openJanusHandle(url, 'audiobridge')
      const options = { allow_rtp_participants: true, sampling_rate: 16_000, default_prebuffering: PREBUFFER }
      const { data } = await ask({ request: 'create', ...options })
      const targets: number[] = []
      for (const port of ports) {
        const handle = await openJanusHandle(url, 'audiobridge')
        const rtp = { ip: '127.0.0.1', port, payload_type: 0 }
        const joined = await handle.ask({ request: 'join', room: data.room, codec: 'pcmu', rtp })
        targets.push((joined.data.rtp as { port: number }).port)
      }
      return targets
    },
  }
}
