import { archiveOperations } from './archives.ts'
import { broadcastOperations } from './broadcasts.ts'
import { sessionOperations } from './sessions.ts'
import { streamOperations } from './streams.ts'
import { uploadTargetOperations } from './upload-targets.ts'

/** Every operation of the platform that Showrunner speaks, by the name used everywhere. */
export const operations = {
  ...sessionOperations,
  ...streamOperations,
  ...archiveOperations,
  ...uploadTargetOperations,
  ...broadcastOperations,
} as const

export type Operations = typeof operations
export type OperationName = keyof Operations
