import { archiveHandlers } from './archives.ts'
import { broadcastHandlers } from './broadcasts.ts'
import type { Handlers, Platform } from './handler.ts'
import { projectHandlers } from './projects.ts'
import { sessionHandlers } from './sessions.ts'
import { streamHandlers } from './streams.ts'
import { uploadTargetHandlers } from './upload-targets.ts'

/** Everything the sandbox does, by operation. */
export const createHandlers = (platform: Platform): Handlers => ({
  ...sessionHandlers(platform),
  ...projectHandlers(platform),
  ...streamHandlers(platform),
  ...archiveHandlers(platform),
  ...uploadTargetHandlers(platform),
  ...broadcastHandlers(platform),
})
