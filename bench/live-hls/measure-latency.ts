import { setTimeout as sleep } from 'node:timers/promises'
import { createPlatformClient } from '../../lib/platform/client/client.ts'
import { quantile } from '../figures.ts'
import type { LiveSandboxOptions, LiveSandboxQuestion, LiveSandboxReady } from '../live/sandbox-process.ts'
import { startSubprocess } from '../subprocess.ts'
import { launchChromium, openLivePage } from './live-page.ts'
import { startLiveShow } from './live-show.ts'
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
/** Milliseconds for the console on a busy machine. */
const PATIENCE = 300_000

interface Measuring {
  /** Path of Chromium. */
  readonly executablePath: string
  /** Time for which each page is read. */
  readonly seconds: number
  readonly signal: AbortSignal
}

const SHOW = {
  ...{ version: 1, name: 'Latency', duration: 3_600, recordings: [{ name: 'program' }] },
  broadcasts: [{ name: 'live', hls: { lowLatency: true } }],
}

/**
 * Measures the latency of a broadcast with low latency in Chromium, from the first frame on. The players watch it one after the
 * other. It belongs to a show of `npm start` with a recording, which a second Chromium shows in the console meanwhile.
 */
export async function measureLatency({ executablePath, seconds, signal }: Measuring): Promise<GlassToGlass[]> {
  await using show = await startLiveShow(SHOW, signal)
  await using _ = await openConsole(show.consoleUrl, { executablePath, signal })
  const latencies: GlassToGlass[] = []
  for (const player of livePlayers) {
    const watching = { executablePath, player, lowLatency: true, seconds, signal }
    latencies.push({ player, ...(await watch(show.playlist, watching)) })
  }
  await show.api.controls.stop(show.showId)
  return latencies
}

/** Measures the latency of a broadcast that is mirrored in a bucket. It has no low latency. A recording runs beside it. */
export async function measureMirrored({ executablePath, seconds, signal }: Measuring): Promise<GlassToGlass> {
  const program = new URL('../live/sandbox-process.ts', import.meta.url)
  const options: LiveSandboxOptions = { hasBucket: true }
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
  try {
    const { broadcastUrls } = await client.startBroadcast({ sessionId, outputs: { hls: {} } }, { signal })
    const playlist = broadcastUrls?.hls ?? ''
    while (!(await fetch(playlist, { signal })).ok) await sleep(POLL_INTERVAL, undefined, { signal })
    const player = 'hls.js'
    return { player, ...(await watch(playlist, { executablePath, player, lowLatency: false, seconds, signal })) }
  } finally {
    await sandbox.ask({ close: true } satisfies LiveSandboxQuestion)
  }
}

/** Opens the console in its own browser. Resolves once it plays the broadcast of the show. */
async function openConsole(
  url: string,
  { executablePath, signal }: Pick<Measuring, 'executablePath' | 'signal'>,
): Promise<AsyncDisposable> {
  await using opened = new AsyncDisposableStack()
  const browser = opened.use(await launchChromium(executablePath))
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(url)
  await page.locator('video').first().waitFor({ timeout: PATIENCE }) // the address that signs in navigates on
  while (!(await page.evaluate('document.querySelector("video")?.currentTime > 0')))
    await sleep(POLL_INTERVAL, undefined, { signal })
  return opened.move()
}

interface Watching extends Measuring {
  readonly player: LivePlayerName
  readonly lowLatency: boolean
}

/** Watches a broadcast on a page, from its first frame on. */
async function watch(playlist: string, { executablePath, player, lowLatency, seconds, signal }: Watching) {
  const page = await openLivePage(executablePath, { playlist, dvr: false, lowLatency }, player)
  try {
    const firstFrame = (await page.firstFrame()) / 1000
    const end = performance.now() + seconds * 1000
    const latencies: number[] = []
    while (performance.now() < end) {
      const latency = await page.latency()
      if (latency !== undefined) latencies.push(latency)
      await sleep(READ_INTERVAL, undefined, { signal })
    }
    return { p50: quantile(latencies, 0.5), p95: quantile(latencies, 0.95), firstFrame }
  } finally {
    await page.close()
  }
}
