import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realClock } from '../../lib/clock.ts'
import { findFfmpeg } from '../../lib/media/ffmpeg/find-ffmpeg.ts'
import type { UploadTarget } from '../../lib/platform/contract/upload-targets.ts'
import { createS3 } from '../../local/cloud/s3/s3.ts'
import { listen } from '../../local/cloud/server.ts'
import { createMedia } from '../../local/sandbox/media/create-media.ts'
import { startSandbox } from '../../local/sandbox/server.ts'
import { givenByParent, serveParent } from '../subprocess.ts'

/** Options of the process. */
export interface LiveSandboxOptions {
  /** Mirrors HLS broadcasts in a bucket that the process serves. @default false */
  readonly hasBucket?: boolean
}

/** The message of the sandbox’s process when it is ready. */
export interface LiveSandboxReady {
  readonly url: string
  readonly apiKey: string
  readonly apiSecret: string
  /** Upload target of the bucket, if it has one. */
  readonly target?: UploadTarget
}

/** Asks for the memory after garbage collection, or closes the sandbox. */
export type LiveSandboxQuestion = { readonly memory: true } | { readonly close: true }

/** Bytes in memory after garbage collection. */
export interface LiveSandboxMemory {
  readonly heap: number
  readonly rss: number
}

const { hasBucket = false } = givenByParent<LiveSandboxOptions>()
const directory = await mkdtemp(join(tmpdir(), 'showrunner-live-'))
const media = await createMedia({ ffmpegPath: await findFfmpeg(), clock: realClock, directory })
const sandbox = await startSandbox({ media, openControl: true, ...(hasBucket && { origin: 'bucket' }) })
const bucket = hasBucket ? await openBucket() : undefined
const { url, apiKey, apiSecret } = sandbox

serveParent(
  { url, apiKey, apiSecret, ...bucket?.ready } satisfies LiveSandboxReady,
  async (question: LiveSandboxQuestion) => {
    if ('memory' in question) {
      globalThis.gc?.()
      const { heapUsed, rss } = process.memoryUsage()
      return { heap: heapUsed, rss } satisfies LiveSandboxMemory
    }
    await sandbox.close()
    await bucket?.close()
    await rm(directory, { recursive: true, force: true })
    return {}
  },
)

/** Serves a bucket whose objects pages may read, as through a CDN. */
async function openBucket() {
  const [accessKey, secretKey, name] = ['key', 'secret', 'live']
  const s3 = createS3({
    clock: realClock,
    secretOf: (id) => (id === accessKey ? secretKey : undefined),
    isPublic: () => true,
  })
  s3.createBucket(name, undefined, [{ AllowedMethods: ['GET', 'HEAD'], AllowedOrigins: ['*'] }])
  const server = await listen(s3.fetch)
  const config = { accessKey, secretKey, bucket: name, endpoint: server.url }
  const target: UploadTarget = { type: 's3', config, fallback: 'none' }
  return {
    ready: { target },
    async close() {
      await server.close()
      s3.close()
    },
  }
}
