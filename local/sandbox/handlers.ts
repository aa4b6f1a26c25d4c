import { archiveHandlers } from './archives/archive-handlers.ts'
import { uploadTargetHandlers } from './archives/upload-target-handlers.ts'
import { broadcastHandlers } from './broadcasts/broadcast-handlers.ts'
import { callHandlers } from './calls/call-handlers.ts'
import { composerHandlers } from './composers/composer-handlers.ts'
import type { Handlers, Platform } from './handler.ts'
import { insightsHandlers } from './insights/insights-handlers.ts'
import { projectHandlers } from './projects/project-handlers.ts'
import { connectionHandlers } from './sessions/connection-handlers.ts'
import { sessionHandlers } from './sessions/session-handlers.ts'
import { signalHandlers } from './sessions/signal-handlers.ts'
import { streamHandlers } from './sessions/stream-handlers.ts'

/** Everything the sandbox does, by operation. */
export const createHandlers = (platform: Platform): Handlers => ({
  ...sessionHandlers(platform),
  ...projectHandlers(platform),
  ...signalHandlers(platform),
  ...connectionHandlers(platform),
  ...streamHandlers(platform),
  ...archiveHandlers(platform),
  ...uploadTargetHandlers(platform),
  ...broadcastHandlers(platform),
  ...callHandlers(platform),
  ...composerHandlers(platform),
  ...insightsHandlers(platform),
})
