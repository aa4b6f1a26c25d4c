import { createWriteStream } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf, memoryOfAll } from '../../bench/publish/memory.ts'
import { realClock } from '../../lib/clock.ts'
import { findFfmpeg } from '../../lib/media/ffmpeg/find-ffmpeg.ts'
import { createPlatformClient, type PlatformClient } from '../../lib/platform/client/client.ts'
import { createMedia } from '../../local/sandbox/media/create-media.ts'
import { startSandbox } from '../../local/sandbox/server.ts'
import { createRandom } from '../../local/simulation/scheduling/random.ts'
import { inMegabytes } from '../shows/progress.ts'
import { type Crowd, gatherCrowd } from './crowd.ts'
import type { SoakReport } from './report.ts'
import { readVisibleClock } from './visible-clock.ts'

export interface SoakOptions {
  readonly minutes: number
  /** Seed of the actions and their times. */
  readonly seed: number
  /** Stops the recording early. The recorded part is checked. */
  readonly signal: AbortSignal
  readonly onStep: (step: string) => void
}

const SIZE = { width: 640, height: 480 } as const
const REPORT_INTERVAL_MS = 60_000
const POLL_INTERVAL_MS = 200
/** Timeout for the archive to become available after it was stopped. */
const MAX_FINISH_MS = 60_000

/** Records a session in real time while participants join, leave, are muted and rearranged, and checks the recording. */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const ffmpegPath = await findFfmpeg()
  await using folder = await mkdtempDisposable(join(tmpdir(), 'showrunner-soak-'))
  const startedBefore = new Set(childrenOf(process.pid))
  const { path, ...recorded } = await record(ffmpegPath, folder.path, options)
  const processesLeft = childrenOf(process.pid).filter((pid) => !startedBefore.has(pid)).length
  options.onStep('reading the clock in the archive')
  return { ...recorded, processesLeft, clock: await readVisibleClock(ffmpegPath, path, SIZE) }
}

/** Records one archive in a separate sandbox, and downloads it. */
async function record(ffmpegPath: string, directory: string, options: SoakOptions) {
  const media = await createMedia({ ffmpegPath, clock: realClock, directory: join(directory, 'media') })
  await using opened = new AsyncDisposableStack()
  const sandbox = opened.adopt(await startSandbox({ media, directory }), (one) => one.close())
  const { url, apiKey, apiSecret, controlToken } = sandbox
  const client = createPlatformClient({ baseUrl: url, apiKey, apiSecret })
  const [session] = await client.createSession({ 'p2p.preference': 'disabled' })
  const sessionId = session?.session_id ?? ''
  const random = createRandom(options.seed, 'soak')
  const crowd = await gatherCrowd({ client, sandboxUrl: url, controlToken, sessionId, random })
  const requestedAt = performance.now()
  const { id: archiveId } = await client.startArchive({ sessionId, resolution: `${SIZE.width}x${SIZE.height}` })
  const acted = await actUntilEnd(crowd, archiveId, options)
  await client.stopArchive({ archiveId })
  const answering = (performance.now() - requestedAt) / 1000 - acted.seconds
  const { duration, url: download } = await untilAvailable(client, archiveId)
  const path = join(directory, 'archive.mp4')
  await fetchFile(download, path)
  return { ...acted, answering, recordedSeconds: duration, path }
}

async function actUntilEnd(crowd: Crowd, archiveId: string, { minutes, signal, onStep }: SoakOptions) {
  const since = performance.now()
  const left = () => minutes * 60_000 - (performance.now() - since)
  const memory: number[] = []
  let actions = 0
  let reportAt = 0
  while (left() > 0 && !signal.aborted) {
    const action = await crowd.act(archiveId)
    actions++
    memory.push(memoryOfAll(process.pid))
    const elapsed = performance.now() - since
    if (elapsed >= reportAt) {
      reportAt = elapsed + REPORT_INTERVAL_MS
      onStep(`minute ${(elapsed / 60_000).toFixed(1)} of ${minutes}, ${inMegabytes(memory.at(-1) ?? 0)}: ${action}`)
    }
    await sleep(Math.max(0, Math.min(crowd.pause(), left())), undefined, { signal }).catch(() => {})
  }
  return { seconds: (performance.now() - since) / 1000, actions, memory }
}

/** Polls until the archive is available. @throws Error when it fails or takes too long */
async function untilAvailable(client: PlatformClient, archiveId: string) {
  for (let waited = 0; waited < MAX_FINISH_MS; waited += POLL_INTERVAL_MS) {
    const { status, reason, duration, url } = await client.getArchive({ archiveId })
    if (status === 'available' && url) return { duration, url }
    if (status === 'failed') throw new Error(`The archive failed: ${reason || 'without a reason'}.`)
    await sleep(POLL_INTERVAL_MS)
  }
  throw new Error('The archive was not available a minute after it was stopped.')
}

async function fetchFile(url: string, path: string): Promise<void> {
  const { body } = await fetch(url)
  if (!body) throw new Error('The archive could not be downloaded: the answer of the sandbox was empty.')
  await pipeline(Readable.fromWeb(body as WebStream), createWriteStream(path))
}
