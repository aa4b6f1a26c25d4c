import { archiveOperations } from '../archives.ts'
import { broadcastOperations } from '../broadcasts.ts'
import { callOperations } from '../calls.ts'
import { composerOperations } from '../composers.ts'
import { connectionOperations } from '../connections.ts'
import { insightsOperations } from '../insights/insights.ts'
import type { Operation } from '../operation.ts'
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

/** The operations by what they are about. */
export const operationGroups = {
  Sessions: { purpose: 'Open sessions, in which clients meet.', operations: sessionOperations },
  Signals: { purpose: 'Send messages to clients.', operations: signalOperations },
  Connections: { purpose: 'Disconnect clients.', operations: connectionOperations },
  Streams: { purpose: 'List, arrange and mute what clients publish.', operations: streamOperations },
  'Upload target': { purpose: 'Set where finished archives are uploaded to.', operations: uploadTargetOperations },
  Archives: { purpose: 'Record sessions to files.', operations: archiveOperations },
  Calls: { purpose: 'Call SIP endpoints into sessions.', operations: callOperations },
  Broadcasts: { purpose: 'Send sessions to viewers by HLS and RTMP.', operations: broadcastOperations },
  Composers: { purpose: 'Publish web pages in sessions.', operations: composerOperations },
  Projects: { purpose: 'Manage the projects of an account.', operations: projectOperations },
  Insights: { purpose: 'Query usage and quality.', operations: insightsOperations },
} as const satisfies Record<string, { readonly purpose: string; readonly operations: Record<string, Operation> }>

export type Operations = typeof operations
/** Name of an operation, which is also that of the client's method. */
export type OperationName = keyof Operations
