import type { ArchiveRecord, BroadcastRecord, CallRecord, ComposerRecord } from '../state/records.ts'
import type { AllTransitions } from '../state/transitions.ts'

/** A resource whose status has just changed, or that has just been created; without credentials or tokens. */
export interface StatusChange {
  readonly kind: 'archive' | 'broadcast' | 'call' | 'composer'
  readonly id: string
  readonly status: string
  readonly sessionId: string
  readonly projectId: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** Tag with which an archive or a broadcast was started. */
  readonly tag?: string | undefined
  /** Name with which an archive or a composer was started. */
  readonly name?: string | undefined
  /** Client of a call in its session, or of a composer that has joined. */
  readonly connectionId?: string | undefined
  /** Ids of a broadcast's RTMP outputs. */
  readonly rtmpTargets?: readonly string[] | undefined
  /** True for an archive that started because of its session's archiveMode. */
  readonly isAutomatic?: boolean | undefined
}

type Changed = (ArchiveRecord | BroadcastRecord | CallRecord | ComposerRecord) &
  Partial<StatusChange> &
  Partial<Pick<BroadcastRecord, 'rtmp'>>

/** Subscribes a listener to every status of archives, broadcasts, calls and composers, in their order. */
export function subscribeStatusChanges(transitions: AllTransitions, onChange: (change: StatusChange) => void): void {
  const report = (kind: StatusChange['kind']) => (record: Changed) => {
    const { id, status, sessionId, projectId, createdAt, tag, name, connectionId, isAutomatic } = record
    const rtmpTargets = record.rtmp?.map((output) => output.id)
    onChange({ kind, id, status, sessionId, projectId, createdAt, tag, name, connectionId, rtmpTargets, isAutomatic })
  }
  transitions.archives.listen(report('archive'))
  transitions.broadcasts.listen(report('broadcast'))
  transitions.calls.listen(report('call'))
  transitions.composers.listen(report('composer'))
}
