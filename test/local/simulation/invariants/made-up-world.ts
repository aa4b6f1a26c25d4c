import type { ShowRequest } from '../../../../lib/show/state/request.ts'
import type { ShowResult } from '../../../../lib/show/state/result.ts'
import type { ShowState } from '../../../../lib/show/state/state.ts'
import type { BusEvent } from '../../../../local/cloud/events/events.ts'
import type { TimedStatusChange } from '../../../../local/simulation/environment/watch-resources.ts'
import type { Evidence, ExecutionEvidence, ShowEvidence } from '../../../../local/simulation/invariants/evidence.ts'
import { checkInvariants } from '../../../../local/simulation/invariants/invariants.ts'

export const HOUR = 3_600_000
export const change = (more: Partial<TimedStatusChange>): TimedStatusChange => ({
  ...{ kind: 'archive', id: 'one', status: 'started', sessionId: 'session', projectId: '1234', createdAt: 0, at: 0 },
  ...{ tag: 'a-show/program/1', name: 'program' },
  ...more,
})
/** A list of archives that a show has read. */
export const listAt = (at: number) => ({
  ...{ at, line: '' },
  call: { caller: 'WatchShow', name: 'platform listArchives', status: 200 },
})
export const recording = {
  name: 'program',
  part: 1,
  tag: 'a-show/program/1',
  archiveId: 'one',
  status: 'uploaded',
} as const
export const result = {
  ...{ showId: 'a-show', status: 'succeeded', sessionId: 'session', reportedAt: new Date(HOUR).toISOString() },
  ...{
    reason: 'It ended.',
    broadcasts: [],
    dialIns: [],
    automaticArchives: [],
    recordings: [{ ...recording, key: '1234/one/archive.mp4', size: 4 }],
  },
} as unknown as ShowResult
export const show = {
  ...{ duration: 600, audienceWait: 60, uploadWait: 60 },
  ...{ session: {}, recordings: [{ name: 'program' }], broadcasts: [], dialIns: [] },
}
export const well: ShowEvidence = {
  showId: 'a-show',
  startedAt: 0,
  request: { show } as unknown as ShowRequest,
  state: {
    status: 'succeeded',
    sessionId: 'session',
    startedAt: new Date(0).toISOString(),
    recordings: [recording],
    dialIns: [],
    timeline: [],
  } as unknown as ShowState,
  result,
}
export const object = { text: '', size: 4, sha256: 'hash' }
export const eventOf = (event: string, more: object) => {
  const detail = { event, showId: 'a-show', stage: 'dev', at: new Date(0).toISOString(), ...more }
  return { 'detail-type': event, detail } as unknown as BusEvent
}
export const started = eventOf('recording.started', { id: 'e0', name: 'program', part: 1 })
export const ended = eventOf('show.ended', { id: 'e1', status: 'succeeded' })

/** Returns the violations in a world without any, but for the given evidence. */
export const against = (more: Partial<Evidence>) =>
  checkInvariants({
    shows: [well],
    statusChanges: [change({}), change({ status: 'stopped' }), change({ status: 'uploaded' })],
    archives: new Map([['one', { status: 'uploaded', size: 4, sha256sum: 'hash' }]]),
    objects: new Map([['1234/one/archive.mp4', object]]),
    ...{ maxPublishes: 2, callsPerSecond: 100 },
    executions: [],
    formerObjects: [],
    visits: [],
    verifiedEvents: [],
    joins: [],
    versions: [],
    files: new Map(),
    callbackKeys: [],
    keyChanges: [],
    stackSteps: [],
    stackState: undefined,
    removalTrace: [],
    usage: [],
    events: [started, ended],
    platformEvents: [],
    postedCallbacks: new Set(),
    hasInsights: false,
    messages: [],
    callbacks: [],
    publishers: new Set(),
    output: [],
    trace: [],
    failedCalls: [],
    secrets: [{ name: 'the key', value: 'open-sesame' }],
    layouts: [],
    choices: [],
    apiRequests: [],
    schedules: [],
    leftOut: { StartPublish: 'it has its own tests' },
    now: HOUR,
    ...more,
  }).map(({ invariant, detail }) => `${invariant}: ${detail}`)
export const broken = (more: Partial<Evidence>) => against(more).join('\n')
export const withResult = (changes: Partial<ShowResult>) => ({
  shows: [{ ...well, result: { ...result, ...changes } }],
})
export const withShow = (changes: object) => ({
  shows: [{ ...well, request: { show: { ...show, ...changes } } as never }],
})
export const execution = (history: object[]) =>
  [{ machine: 'show', name: 'a-show', history }] as unknown as ExecutionEvidence[]
