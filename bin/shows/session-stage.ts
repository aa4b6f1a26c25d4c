import type { SessionStage } from '../../bench/session.ts'
import type { ShowDocument } from '../../lib/client/documents.ts'
import { createPlatformClient } from '../../lib/platform/client/client.ts'
import { startLocal } from '../local/local.ts'
import { createTemporaryFolder } from '../temporary-folder.ts'
import { createShowApi } from './show-api.ts'

/** Starts a separate local system in a temporary folder, for a bench. */
export async function openSessionStage(signal: AbortSignal): Promise<SessionStage> {
  await using opened = new AsyncDisposableStack()
  const { path: directory } = opened.use(await createTemporaryFolder('showrunner-bench-'))
  const { sandbox, cloud, tokens, close } = await startLocal({ directory, signal })
  opened.defer(close)
  const { shows, controls } = createShowApi({ apiUrl: cloud.apiUrl, token: tokens.operator })
  const { url: baseUrl, apiKey, apiSecret } = sandbox
  const platform = createPlatformClient({ baseUrl, apiKey, apiSecret })
  const stage = opened.move()
  return {
    post: (show) => shows.start(show as ShowDocument),
    read: shows.get,
    stop: controls.stop,
    createSession: () => platform.createSession({}, { signal }),
    close: () => stage.disposeAsync(),
  }
}
