import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PlatformClient } from '../../lib/platform/client/client.ts'

const POLL_INTERVAL_MS = 200
/** Timeout for the archive to become available after it was stopped. */
const MAX_FINISH_MS = 60_000

/**
 * Polls until a stopped archive is available, and downloads it.
 * @throws Error when it fails or takes too long
 */
export async function downloadArchive(client: PlatformClient, archiveId: string, path: string) {
  const { duration, createdAt, url } = await untilAvailable(client, archiveId)
  const { body } = await fetch(url)
  if (!body) throw new Error('The archive could not be downloaded: the answer of the sandbox was empty.')
  await pipeline(Readable.fromWeb(body as WebStream), createWriteStream(path))
  return { duration, createdAt }
}

async function untilAvailable(client: PlatformClient, archiveId: string) {
  for (let waited = 0; waited < MAX_FINISH_MS; waited += POLL_INTERVAL_MS) {
    const { status, reason, duration, createdAt, url } = await client.getArchive({ archiveId })
    if (status === 'available' && url) return { duration, createdAt, url }
    if (status === 'failed') throw new Error(`The archive failed: ${reason || 'without a reason'}.`)
    await sleep(POLL_INTERVAL_MS)
  }
  throw new Error('The archive was not available a minute after it was stopped.')
}
