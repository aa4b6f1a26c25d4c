import { archiveHandlers } from './archives.ts'
import { broadcastHandlers } from './broadcasts.ts'
import { callHandlers } from './calls.ts'
import { composerHandlers } from './composers.ts'
import { connectionHandlers } from './connections.ts'
import type { Handlers, Platform } from './handler.ts'
import { insightsHandlers } from './insights.ts'
import { projectHandlers } from './projects.ts'
import { sessionHandlers } from './sessions.ts'
import { signalHandlers } from './signals.ts'
import { streamHandlers } from './streams.ts'
import { uploadTargetHandlers } from './upload-targets.ts'

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
