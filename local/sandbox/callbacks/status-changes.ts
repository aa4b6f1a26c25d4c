import type { ArchiveRecord, BroadcastRecord, CallRecord, ComposerRecord } from '../state/records.ts'
import type { AllTransitions } from '../state/transitions.ts'

/** A resource that has just come into a status, its first one included; without what lets anybody in. */
export interface StatusChange {
  readonly kind: 'archive' | 'broadcast' | 'call' | 'composer'
  readonly id: string
  readonly status: string
  readonly sessionId: string
  readonly projectId: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** Of archives and broadcasts, where they were started with one. */
  readonly tag?: string | undefined
  /** Of archives and composers, where they were started with one. */
  readonly name?: string | undefined
  /** The client in the session, of calls, and of composers once they have joined. */
  readonly connectionId?: string | undefined
  /** Ids of a broadcast's RTMP outputs. */
  readonly rtmpTargets?: readonly string[] | undefined
  /** The session's own recording, which nobody has started. */
  readonly isAutomatic?: boolean | undefined
}

type Changed = (ArchiveRecord | BroadcastRecord | CallRecord | ComposerRecord) &
  Partial<StatusChange> &
  Partial<Pick<BroadcastRecord, 'rtmp'>>

/** Tells whoever runs the sandbox of every status of archives, broadcasts, calls and composers, in their order. */
export function subscribeStatusChanges(transitions: AllTransitions, tell: (change: StatusChange) => void): void {
  const teller = (kind: StatusChange['kind']) => (record: Changed) => {
    const { id, status, sessionId, projectId, createdAt, tag, name, connectionId, isAutomatic } = record
    const rtmpTargets = record.rtmp?.map((output) => output.id)
    tell({ kind, id, status, sessionId, projectId, createdAt, tag, name, connectionId, rtmpTargets, isAutomatic })
  }
  transitions.archives.listen(teller('archive'))
  transitions.broadcasts.listen(teller('broadcast'))
  transitions.calls.listen(teller('call'))
  transitions.composers.listen(teller('composer'))
}
