import type { ShowState } from '../../../../lib/show/state/state.ts'
import type { AnsweredRequest } from '../../../../local/simulation/environment/app/api-requests.ts'
import type { TimedStatusChange } from '../../../../local/simulation/environment/watch-resources.ts'
import type { FailedCall } from '../../../../local/simulation/faults/faults.ts'
import type { Evidence, ShowEvidence } from '../../../../local/simulation/invariants/evidence.ts'
import type { TraceEntry } from '../../../../local/simulation/trace.ts'

/** A change of the archive `one` of the recording `program`. */
export const change = (at: number, more: Partial<TimedStatusChange> = {}): TimedStatusChange => ({
  ...{ kind: 'archive', id: 'one', status: 'started', sessionId: 'session', projectId: '1234', createdAt: at, at },
  ...{ tag: 'a-show/program/1', name: 'program' },
  ...more,
})

/** A show with one recording, with changes of its documents. */
export const showWith = ({
  request = {},
  result = {},
  state = {},
}: {
  request?: object
  result?: object
  state?: Partial<ShowState>
} = {}): ShowEvidence =>
  ({
    showId: 'a-show',
    startedAt: 0,
    request: { show: { recordings: [{ name: 'program' }], labels: {}, session: {}, ...request } },
    state: { ...state },
    result: { status: 'succeeded', recordings: [], broadcasts: [], reportedAt: new Date(0).toISOString(), ...result },
  }) as unknown as ShowEvidence

/** A write to the bucket, which made the version of this id. */
export const write = (version: string, caller: string): TraceEntry => ({
  at: 0,
  line: '',
  call: { caller, name: 's3 PutObject', status: 200, version },
})

export const version = (versionId: string, key: string, more: Partial<Evidence['versions'][number]> = {}) => ({
  ...{ versionId, key, text: '', size: 4, sha256: 'right' },
  ...more,
})

export const faultAt = (at: number, fault = 'lost after'): TraceEntry => ({ at, line: '', fault })

/** A failed call of the function that watches shows, or of another one. */
export const watchFaultAt = (at: number, caller = 'WatchShow'): FailedCall => ({
  ...{ caller, operation: 'platform listArchives', kind: '500', at },
})

/** A request to signal all participants of a show, which is answered after ten milliseconds. */
export const asked = (at: number, more: Partial<AnsweredRequest> = {}): AnsweredRequest => ({
  ...{ askedAt: at, answeredAt: at + 10, method: 'POST', path: '/shows/a-show/signals', key: 'one', body: '{}' },
  ...{ status: 200, answer: '{}' },
  ...more,
})
