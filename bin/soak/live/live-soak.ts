import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { childProcessesOf, memoryOfAll } from '../../../bench/publish/memory.ts'
import { realClock } from '../../../lib/clock.ts'
import { findFfmpeg } from '../../../lib/media/ffmpeg/find-ffmpeg.ts'
import { createPlatformClient } from '../../../lib/platform/client/client.ts'
import { createClientToken } from '../../../lib/platform/client/client-tokens.ts'
import { PlatformNotFoundError } from '../../../lib/platform/client/errors.ts'
import { arrangeStreams } from '../../../lib/platform/layouts/layouts.ts'
import { createMedia } from '../../../local/sandbox/media/create-media.ts'
import { startSandbox } from '../../../local/sandbox/server.ts'
import { inMegabytes } from '../../shows/progress.ts'
import { downloadArchive } from '../finished-archive.ts'
import { delaysIn } from './archive-sync.ts'
import { type BrowserParticipant, findChromium, joinByBrowser } from './browser-participant.ts'
import { makeFlashFiles, TONES } from './flash-files.ts'
import type { LiveSoakReport } from './live-report.ts'

export interface LiveSoakOptions {
  readonly minutes: number
  /** Stops the recording early. The recorded part is checked. */
  readonly signal: AbortSignal
  readonly onStep: (step: string) => void
}

const SIZE = { width: 640, height: 480 } as const
const PARTICIPANTS = 2
const MEMORY_INTERVAL_MS = 5_000
const REPORT_INTERVAL_MS = 60_000
const POLL_INTERVAL_MS = 100

/** Records Chromium participants who publish a flash and a beep every two seconds, and checks that both stay in sync. */
export async function soakLive(options: LiveSoakOptions): Promise<LiveSoakReport> {
  const executablePath = await findChromium()
  const ffmpegPath = await findFfmpeg()
  const directory = await mkdtemp(join(tmpdir(), 'showrunner-soak-'))
  const startedBefore = new Set(childProcessesOf(process.pid))
  try {
    const { path, createdAt, observed, ...recorded } = await record(ffmpegPath, executablePath, directory, options)
    const processesLeft = childProcessesOf(process.pid).filter((pid) => !startedBefore.has(pid)).length
    options.onStep('searching flashes and beeps in the archive')
    const streams = observed.map(() => ({ videoType: 'camera', layoutClasses: [] }) as const)
    const cells = arrangeStreams({ type: 'bestFit' }, streams, SIZE.width, SIZE.height).map(({ cell }) => cell)
    const participants = []
    for (const [index, cell] of cells.entries()) {
      const captured = { cell, tone: TONES[index] ?? 0, observed: observed[index] ?? { flashes: [], beeps: [] } }
      participants.push(await delaysIn(ffmpegPath, path, createdAt, captured))
    }
    return { ...recorded, processesLeft, participants }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Records one archive of the browsers in a separate sandbox, and downloads it. */
async function record(ffmpegPath: string, executablePath: string, directory: string, options: LiveSoakOptions) {
  const media = await createMedia({ ffmpegPath, clock: realClock, directory: join(directory, 'media') })
  const sandbox = await startSandbox({ media, directory })
  const browsers: BrowserParticipant[] = []
  try {
    const { url, apiKey, apiSecret } = sandbox
    const client = createPlatformClient({ baseUrl: url, apiKey, apiSecret })
    const [session] = await client.createSession({ 'p2p.preference': 'disabled' })
    const sessionId = session?.session_id ?? ''
    const token = await createClientToken({ apiKey, apiSecret, sessionId, role: 'publisher' })
    const address = `${url}/sandbox/sessions/${sessionId}/whip`
    const sandboxChildren = new Set(childProcessesOf(process.pid))
    while (browsers.length < PARTICIPANTS) {
      const files = await makeFlashFiles(ffmpegPath, directory, TONES[browsers.length] ?? 0)
      browsers.push(await joinByBrowser({ executablePath, files, address, token }))
      const count = () => client.listStreams({ sessionId }).then(({ items }) => items.length, zeroIfNone)
      while ((await count()) < browsers.length) await sleep(POLL_INTERVAL_MS)
    }
    const browserIds = childProcessesOf(process.pid).filter((pid) => !sandboxChildren.has(pid))
    const memoryOfSandbox = () => browserIds.reduce((sum, pid) => sum - memoryOfAll(pid), memoryOfAll(process.pid))

    const requestedAt = performance.now()
    const { id: archiveId } = await client.startArchive({ sessionId, resolution: `${SIZE.width}x${SIZE.height}` })
    const waited = await untilEnd(memoryOfSandbox, options)
    await client.stopArchive({ archiveId })
    const answering = (performance.now() - requestedAt) / 1000 - waited.seconds
    const observed = await Promise.all(browsers.map((browser) => browser.observed()))
    const path = join(directory, 'archive.mp4')
    const { duration, createdAt } = await downloadArchive(client, archiveId, path)
    return { ...waited, answering, recordedSeconds: duration, createdAt, path, observed }
  } finally {
    await Promise.all(browsers.map((browser) => browser.close()))
    await sandbox.close()
  }
}

/** A session without streams is answered 404. */
function zeroIfNone(error: unknown): number {
  if (error instanceof PlatformNotFoundError) return 0
  throw error
}

async function untilEnd(memoryOfSandbox: () => number, { minutes, signal, onStep }: LiveSoakOptions) {
  const since = performance.now()
  const left = () => minutes * 60_000 - (performance.now() - since)
  const memory: number[] = []
  let reportAt = 0
  while (left() > 0 && !signal.aborted) {
    memory.push(memoryOfSandbox())
    const elapsed = performance.now() - since
    if (elapsed >= reportAt) {
      reportAt = elapsed + REPORT_INTERVAL_MS
      onStep(`minute ${(elapsed / 60_000).toFixed(1)} of ${minutes}, ${inMegabytes(memory.at(-1) ?? 0)}`)
    }
    await sleep(Math.max(0, Math.min(MEMORY_INTERVAL_MS, left())), undefined, { signal }).catch(() => {})
  }
  return { seconds: (performance.now() - since) / 1000, memory }
}
