import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realClock } from '../../lib/clock.ts'
import { findFfmpeg } from '../../lib/media/ffmpeg/find-ffmpeg.ts'
import { createMedia } from '../../local/sandbox/media/create-media.ts'
import { startSandbox } from '../../local/sandbox/server.ts'
import { serveParent } from '../subprocess.ts'

/** The message of the sandbox’s process when it is ready. */
export interface LiveSandboxReady {
  readonly url: string
  readonly apiKey: string
  readonly apiSecret: string
}

/** Asks for the memory after garbage collection, or closes the sandbox. */
export type LiveSandboxQuestion = { readonly memory: true } | { readonly close: true }

/** Bytes in memory after garbage collection. */
export interface LiveSandboxMemory {
  readonly heap: number
  readonly rss: number
}

const directory = await mkdtemp(join(tmpdir(), 'showrunner-live-'))
const media = await createMedia({ ffmpegPath: await findFfmpeg(), clock: realClock, directory })
const sandbox = await startSandbox({ media, openControl: true })
const { url, apiKey, apiSecret } = sandbox

serveParent({ url, apiKey, apiSecret } satisfies LiveSandboxReady, async (question: LiveSandboxQuestion) => {
  if ('memory' in question) {
    globalThis.gc?.()
    const { heapUsed, rss } = process.memoryUsage()
    return { heap: heapUsed, rss } satisfies LiveSandboxMemory
  }
  await sandbox.close()
  await rm(directory, { recursive: true, force: true })
  return {}
})
