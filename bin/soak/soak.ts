import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
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
  /** Decides what happens in the session, and when. */
  readonly seed: number
  /** Ends the recording early; what there is by then is looked at. */
  readonly signal: AbortSignal
  readonly onStep: (words: string) => void
}

const SIZE = { width: 640, height: 480 } as const
const BETWEEN_WORDS_MS = 60_000
const BETWEEN_LOOKS_MS = 200
/** An archive that is not finished by then never will be. */
const MAX_FINISH_MS = 60_000

/** Records a session in real time while people join, leave, are muted and rearranged, and looks at what has come of it. */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const ffmpegPath = await findFfmpeg()
  const directory = await mkdtemp(join(tmpdir(), 'showrunner-soak-'))
  const startedBefore = new Set(childrenOf(process.pid))
  try {
    const { path, ...recorded } = await record(ffmpegPath, directory, options)
    const processesLeft = childrenOf(process.pid).filter((pid) => !startedBefore.has(pid)).length
    options.onStep('reading the clock in the archive')
    return { ...recorded, processesLeft, clock: await readVisibleClock(ffmpegPath, path, SIZE) }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Records one archive in a sandbox of its own, and fetches it as everybody would. */
async function record(ffmpegPath: string, directory: string, options: SoakOptions) {
  const media = await createMedia({ ffmpegPath, clock: realClock, directory: join(directory, 'media') })
  const sandbox = await startSandbox({ media, directory })
  try {
    const { url, apiKey, apiSecret, controlToken } = sandbox
    const client = createPlatformClient({ baseUrl: url, apiKey, apiSecret })
    const [session] = await client.createSession({ 'p2p.preference': 'disabled' })
    const sessionId = session?.session_id ?? ''
    const random = createRandom(options.seed, 'soak')
    const crowd = await gatherCrowd({ client, sandboxUrl: url, controlToken, sessionId, random })
    const askedAt = performance.now()
    const { id: archiveId } = await client.startArchive({ sessionId, resolution: `${SIZE.width}x${SIZE.height}` })
    const lived = await live(crowd, archiveId, options)
    await client.stopArchive({ archiveId })
    const answering = (performance.now() - askedAt) / 1000 - lived.seconds
    const { duration, url: download } = await untilAvailable(client, archiveId)
    const path = join(directory, 'archive.mp4')
    await fetchFile(download, path)
    return { ...lived, answering, recordedSeconds: duration, path }
  } finally {
    await sandbox.close()
  }
}

/** Lets things happen until the time is over. */
async function live(crowd: Crowd, archiveId: string, { minutes, signal, onStep }: SoakOptions) {
  const since = performance.now()
  const left = () => minutes * 60_000 - (performance.now() - since)
  const memory: number[] = []
  let actions = 0
  let tellAt = 0
  while (left() > 0 && !signal.aborted) {
    const what = await crowd.act(archiveId)
    actions++
    memory.push(memoryOfAll(process.pid))
    const elapsed = performance.now() - since
    if (elapsed >= tellAt) {
      tellAt = elapsed + BETWEEN_WORDS_MS
      onStep(`minute ${(elapsed / 60_000).toFixed(1)} of ${minutes}, ${inMegabytes(memory.at(-1) ?? 0)}: ${what}`)
    }
    await sleep(Math.max(0, Math.min(crowd.pause(), left())), undefined, { signal }).catch(() => {})
  }
  return { seconds: (performance.now() - since) / 1000, actions, memory }
}

/** @throws Error when the archive ends in another way, or not at all */
async function untilAvailable(client: PlatformClient, archiveId: string) {
  for (let waited = 0; waited < MAX_FINISH_MS; waited += BETWEEN_LOOKS_MS) {
    const { status, reason, duration, url } = await client.getArchive({ archiveId })
    if (status === 'available' && url) return { duration, url }
    if (status === 'failed') throw new Error(`The archive has failed: ${reason || 'without a reason'}.`)
    await sleep(BETWEEN_LOOKS_MS)
  }
  throw new Error('The archive was not finished within a minute of its end.')
}

async function fetchFile(url: string, path: string): Promise<void> {
  const { body } = await fetch(url)
  if (!body) throw new Error('The archive could not be fetched: the sandbox has answered nothing.')
  await pipeline(Readable.fromWeb(body as WebStream), createWriteStream(path))
}
