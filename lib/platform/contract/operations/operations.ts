import { archiveOperations } from '../archives.ts'
import { broadcastOperations } from '../broadcasts.ts'
import { callOperations } from '../calls.ts'
import { composerOperations } from '../composers.ts'
import { connectionOperations } from '../connections.ts'
import { insightsOperations } from '../insights/insights.ts'
import { projectOperations } from '../projects.ts'
import { sessionOperations } from '../sessions.ts'
import { signalOperations } from '../signals.ts'
import { streamOperations } from '../streams.ts'
import { uploadTargetOperations } from '../upload-targets.ts'

/** Every operation by its name, in the order of a router: `/archive/storage` precedes `/archive/{archiveId}`. */
export const operations = {
  ...sessionOperations,
  ...signalOperations,
  ...connectionOperations,
  ...streamOperations,
  ...uploadTargetOperations,
  ...archiveOperations,
  ...callOperations,
  ...broadcastOperations,
  ...composerOperations,
  ...projectOperations,
  ...insightsOperations,
} as const

export type Operations = typeof operations
/** Name of an operation, which is also that of the client's method. */
export type OperationName = keyof Operations
