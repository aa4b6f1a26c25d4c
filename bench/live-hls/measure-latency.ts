import { setTimeout as sleep } from 'node:timers/promises'
import { createPlatformClient } from '../../lib/platform/client/client.ts'
import { quantile } from '../figures.ts'
import type { LiveSandboxOptions, LiveSandboxQuestion, LiveSandboxReady } from '../live/sandbox-process.ts'
import { startSubprocess } from '../subprocess.ts'
import { openLivePage } from './live-page.ts'
import { type LivePlayerName, livePlayers } from './page-players.ts'

/** Milliseconds from a frame in the sandbox to the same frame on a page. */
export interface GlassToGlass {
  readonly player: LivePlayerName
  readonly p50: number
  readonly p95: number
  /** Seconds from the opening of the page to its first frame. */
  readonly firstFrame: number
}

/** Milliseconds between two readings of the page. */
const READ_INTERVAL = 1_000
const POLL_INTERVAL = 200

/**
 * Measures the latency of a broadcast with low latency in Chromium, from the first frame on. A recording runs beside it. Each
 * player has its own broadcast, one after the other. From a bucket only the player of the watch page is measured, without low
 * latency.
 * @param seconds for which each page is read
 */
export async function measureLatency(
  executablePath: string,
  { seconds, origin, signal }: { seconds: number; origin: 'sandbox' | 'bucket'; signal: AbortSignal },
): Promise<GlassToGlass[]> {
  const program = new URL('../live/sandbox-process.ts', import.meta.url)
  const lowLatency = origin === 'sandbox'
  const options: LiveSandboxOptions = { hasBucket: !lowLatency }
  await using sandbox = await startSubprocess<LiveSandboxReady>(program, options, signal)
  const { url, apiKey, apiSecret, target } = sandbox.ready
  const client = createPlatformClient({ baseUrl: url, apiKey, apiSecret })
  if (target) await client.setUploadTarget(target, { signal })
  const [session] = await client.createSession({}, { signal })
  const sessionId = session?.session_id ?? ''
  const body = JSON.stringify({ name: 'Ada' })
  const joined = await fetch(`${url}/sandbox/sessions/${sessionId}/participants`, { method: 'POST', body, signal })
  if (!joined.ok) throw new Error(`The sandbox answered ${joined.status} to a participant.`)
  await client.startArchive({ sessionId }, { signal })
  const latencies: GlassToGlass[] = []
  try {
    for (const player of lowLatency ? livePlayers : livePlayers.slice(0, 1)) {
      const { id, broadcastUrls } = await client.startBroadcast(
        { sessionId, outputs: { hls: { lowLatency } } },
        { signal },
      )
      const playlist = broadcastUrls?.hls ?? ''
      while (!(await fetch(playlist, { signal })).ok) await sleep(POLL_INTERVAL, undefined, { signal })
      latencies.push({ player, ...(await watch(playlist, { executablePath, player, lowLatency, seconds, signal })) })
      await client.stopBroadcast({ broadcastId: id }, { signal })
    }
    return latencies
  } finally {
    await sandbox.ask({ close: true } satisfies LiveSandboxQuestion)
  }
}

interface Watching {
  readonly executablePath: string
  readonly player: LivePlayerName
  readonly lowLatency: boolean
  readonly seconds: number
  readonly signal: AbortSignal
}

/** Watches a broadcast on a page. */
async function watch(playlist: string, { executablePath, player, lowLatency, seconds, signal }: Watching) {
  const opened = performance.now()
  const page = await openLivePage(executablePath, { playlist, dvr: false, lowLatency }, player)
  try {
    const latencies: number[] = []
    let firstFrame: number | undefined
    while (firstFrame === undefined || performance.now() - opened < (firstFrame + seconds) * 1000) {
      const latency = await page.latency()
      if (latency !== undefined) {
        firstFrame ??= (performance.now() - opened) / 1000
        latencies.push(latency)
      }
      await sleep(READ_INTERVAL, undefined, { signal })
    }
    return { p50: quantile(latencies, 0.5), p95: quantile(latencies, 0.95), firstFrame }
  } finally {
    await page.close()
  }
}
