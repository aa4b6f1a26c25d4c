import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { childProcessesOf, memoryOfAll } from '../../bench/publish/memory.ts'
import { realClock } from '../../lib/clock.ts'
import { findFfmpeg } from '../../lib/media/ffmpeg/find-ffmpeg.ts'
import { createPlatformClient } from '../../lib/platform/client/client.ts'
import { createMedia } from '../../local/sandbox/media/create-media.ts'
import { startSandbox } from '../../local/sandbox/server.ts'
import { createRandom } from '../../local/simulation/scheduling/random.ts'
import { inMegabytes } from '../shows/progress.ts'
import { createTemporaryFolder } from '../temporary-folder.ts'
import { type Crowd, gatherCrowd } from './crowd.ts'
import { downloadArchive } from './finished-archive.ts'
import type { SoakReport } from './report.ts'
import { readVisibleClock } from './visible-clock.ts'

export interface SoakOptions {
  readonly minutes: number
  readonly seed: number
  /** Stops the recording early. The recorded part is checked. */
  readonly signal: AbortSignal
  readonly onStep: (step: string) => void
}

const SIZE = { width: 640, height: 480 } as const
const REPORT_INTERVAL_MS = 60_000

/** Records a session in real time while participants join, leave, are muted and rearranged, and checks the recording. */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const ffmpegPath = await findFfmpeg()
  await using folder = await createTemporaryFolder('showrunner-soak-')
  const startedBefore = new Set(childProcessesOf(process.pid))
  const { path, ...recorded } = await record(ffmpegPath, folder.path, options)
  const processesLeft = childProcessesOf(process.pid).filter((pid) => !startedBefore.has(pid)).length
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
  const path = join(directory, 'archive.mp4')
  const { duration } = await downloadArchive(client, archiveId, path)
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
