import { realClock } from '../../lib/clock.ts'
import { AUTH_HEADER } from '../../lib/platform/contract/tokens.ts'
import { createMediaOff } from '../../local/sandbox/media/media-off.ts'
import { startSandbox } from '../../local/sandbox/server.ts'
import { serveParent } from '../subprocess.ts'

/** The header of the `opentok` package. */
const FOREIGN_HEADER = 'X-OPENTOK-AUTH'

/** The message of the sandbox’s process when it is ready. */
export interface SandboxReady {
  readonly url: string
  readonly apiKey: string
  readonly apiSecret: string
  readonly controlToken: string | undefined
}

const { url, apiKey, apiSecret, controlToken } = await startSandbox({
  media: createMediaOff(realClock),
  authHeaders: [AUTH_HEADER, FOREIGN_HEADER],
})

serveParent({ url, apiKey, apiSecret, controlToken } satisfies SandboxReady, () => {
  globalThis.gc?.()
  return { rss: process.memoryUsage().rss }
})
