import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SessionStage } from '../../bench/session.ts'
import { createPlatformClient } from '../../lib/platform/client/client.ts'
import { startLocal } from '../local/local.ts'
import { createShowApi } from './show-api.ts'

/** Starts a separate local system in a temporary folder, for a bench. */
export async function openSessionStage(signal: AbortSignal): Promise<SessionStage> {
  const directory = await mkdtemp(join(tmpdir(), 'showrunner-bench-'))
  const remove = () => rm(directory, { recursive: true, force: true })
  try {
    const { sandbox, cloud, tokens, close } = await startLocal({ directory, signal })
    const { post, read, stop } = createShowApi({ apiUrl: cloud.apiUrl, token: tokens.operator })
    const { url: baseUrl, apiKey, apiSecret } = sandbox
    const platform = createPlatformClient({ baseUrl, apiKey, apiSecret })
    return {
      post,
      read,
      stop,
      createSession: () => platform.createSession({}, { signal }),
      async close() {
        await close()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}
