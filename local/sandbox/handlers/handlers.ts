import { archiveHandlers } from './archives.ts'
import { broadcastHandlers } from './broadcasts.ts'
import type { Handlers, Platform } from './handler.ts'
import { sessionHandlers } from './sessions.ts'
import { streamHandlers } from './streams.ts'
import { uploadTargetHandlers } from './upload-targets.ts'

/** Everything the sandbox does, by operation. */
export const createHandlers = (platform: Platform): Handlers => ({
  ...sessionHandlers(platform),
  ...streamHandlers(platform),
  ...archiveHandlers(platform),
  ...uploadTargetHandlers(platform),
  ...broadcastHandlers(platform),
})
