import { describe, expect, it } from 'vitest'
import type { ShowRequest } from '../../../../lib/show/state/request.ts'
import type { ShowResult } from '../../../../lib/show/state/result.ts'
import type { ShowState } from '../../../../lib/show/state/state.ts'
import type { BusEvent } from '../../../../local/cloud/events/events.ts'
import type { TimedStatusChange } from '../../../../local/simulation/environment/watch-resources.ts'
import type { FailedCall } from '../../../../local/simulation/faults/faults.ts'
import type { Evidence, ExecutionEvidence, ShowEvidence } from '../../../../local/simulation/invariants/evidence.ts'
import { checkInvariants } from '../../../../local/simulation/invariants/invariants.ts'
import type { TraceEntry } from '../../../../local/simulation/trace.ts'
import { BEGINNING } from '../../../../local/simulation/world.ts'

const HOUR = 3_600_000
const change = (more: Partial<TimedStatusChange>): TimedStatusChange => ({
  ...{ kind: 'archive', id: 'one', status: 'started', sessionId: 'session', projectId: '1234', createdAt: 0, at: 0 },
  ...{ tag: 'a-show/program/1', name: 'program' },
  ...more,
})
/** A list of archives that a show has read. */
const listAt = (at: number) => ({
  ...{ at, line: '' },
  call: { caller: 'WatchShow', name: 'platform listArchives', status: 200 },
})
const recording = { name: 'program', part: 1, tag: 'a-show/program/1', archiveId: 'one', status: 'uploaded' } as const
const result = {
  ...{ showId: 'a-show', status: 'succeeded', sessionId: 'session', reportedAt: new Date(HOUR).toISOString() },
  ...{
    reason: 'It ended.',
    broadcasts: [],
    dialIns: [],
    automaticArchives: [],
    recordings: [{ ...recording, key: '1234/one/archive.mp4', size: 4 }],
  },
} as unknown as ShowResult
const show = {
  ...{ duration: 600, audienceWait: 60, uploadWait: 60 },
  ...{ session: {}, recordings: [{ name: 'program' }], broadcasts: [], dialIns: [] },
}
const well: ShowEvidence = {
  showId: 'a-show',
  startedAt: 0,
  request: { show } as unknown as ShowRequest,
  state: {
    status: 'succeeded',
    sessionId: 'session',
    startedAt: new Date(0).toISOString(),
    dialIns: [],
    timeline: [],
  } as unknown as ShowState,
  result,
}
const object = { text: '', size: 4, sha256: 'hash' }
const eventOf = (event: string, more: object) => {
  const detail = { event, showId: 'a-show', stage: 'dev', at: new Date(0).toISOString(), ...more }
  return { 'detail-type': event, detail } as unknown as BusEvent
}
const started = eventOf('recording.started', { id: 'e0', name: 'program', part: 1 })
const ended = eventOf('show.ended', { id: 'e1', status: 'succeeded' })

/** Returns the violations in a world without any, but for the given evidence. */
const against = (more: Partial<Evidence>) =>
  checkInvariants({
    shows: [well],
    statusChanges: [change({}), change({ status: 'stopped' }), change({ status: 'uploaded' })],
    archives: new Map([['one', { status: 'uploaded', size: 4, sha256sum: 'hash' }]]),
    objects: new Map([['1234/one/archive.mp4', object]]),
    executions: [],
    formerObjects: [],
    visits: [],
    versions: [],
    files: new Map(),
    callbackKeys: [],
    keyChanges: [],
    usage: [],
    events: [started, ended],
    platformEvents: [],
    postedCallbacks: new Set(),
    messages: [],
    callbacks: [],
    publishers: new Set(),
    output: [],
    trace: [],
    failedCalls: [],
    secrets: [{ name: 'the key', value: 'open-sesame' }],
    layouts: [],
    apiRequests: [],
    schedules: [],
    leftOut: { StartPublish: 'it has its own tests' },
    now: HOUR,
    ...more,
  }).map(({ invariant, detail }) => `${invariant}: ${detail}`)
const broken = (more: Partial<Evidence>) => against(more).join('\n')
const withResult = (changes: Partial<ShowResult>) => ({ shows: [{ ...well, result: { ...result, ...changes } }] })
const withShow = (changes: object) => ({ shows: [{ ...well, request: { show: { ...show, ...changes } } as never }] })
const execution = (history: object[]) =>
  [{ machine: 'show', name: 'a-show', history }] as unknown as ExecutionEvidence[]

describe('checkInvariants', () => {
  it('has nothing against a world where all is well', () => {
    expect(against({})).toEqual([])
  })

  describe('one archive per part', () => {
    const second = change({ id: 'two', status: 'failed' })
    it.each<[string, TimedStatusChange[]]>([
      ['2 archives have the tag a-show/program/1: one, two', [change({ status: 'uploaded' }), second]],
      ['the archive one has the tag of no show: none', [change({ tag: undefined }), change({ status: 'uploaded' })]],
      ['the archive one has the tag of no show: other/program/1', [change({ tag: 'other/program/1' })]],
      [
        'several broadcasts ran at once under the tag a-show/live/1',
        ['b', 'c'].map((id) => change({ kind: 'broadcast', id, tag: 'a-show/live/1' })),
      ],
      [
        'several composers ran at once under the name slides in session session',
        ['b', 'c'].map((id) => change({ kind: 'composer', id, tag: undefined, name: 'slides', status: 'starting' })),
      ],
      ['1 calls were made in the session, and 0 asked for', [change({ kind: 'call', status: 'HANGUP' })]],
    ])('finds that %s', (detail, statusChanges) => {
      expect(broken({ statusChanges })).toContain(`one archive per part: ${detail}`)
    })

    it('counts the calls of shows together that share a session', () => {
      const calls = ['c', 'd'].map((id) => change({ kind: 'call', id, tag: undefined, status: 'HANGUP' }))
      const asking = { ...well, request: { show: { ...show, dialIns: [{ name: 'desk' }] } } as never }
      const detail = '2 calls were made in the session, and 1 asked for'
      expect(broken({ statusChanges: calls, shows: [asking, well] })).toContain(detail)
      expect(broken({ statusChanges: calls, shows: [asking, { ...asking, showId: 'another' }] })).not.toContain(
        'asked for',
      )
    })

    it('allows an archive of a delayed start that the result names, or that began after the result', () => {
      const delayed = { caller: 'StartRecording', operation: 'platform startArchive', kind: 'delayed', at: 0 } as const
      const late = (at: number) => [change({ status: 'uploaded' }), change({ id: 'two', status: 'failed', at })]
      const named = withResult({ strays: [{ archiveId: 'two' }] as never })
      const several = '2 archives have the tag'
      expect(broken({ statusChanges: late(1), failedCalls: [delayed] })).toContain(several)
      expect(broken({ statusChanges: late(HOUR + 1) })).toContain(several)
      expect(broken({ statusChanges: late(1), ...named })).toContain(several)
      for (const allowed of [{ statusChanges: late(HOUR + 1) }, { statusChanges: late(1), ...named }])
        expect(broken({ ...allowed, failedCalls: [delayed] })).not.toMatch(/several|is not in the result|archives have/)
    })

    it('takes one broadcast after another, and automatic archives, for what they are', () => {
      const live = (id: string, status: string) => change({ kind: 'broadcast', id, status, tag: 'a-show/live/1' })
      const automatic = change({ id: 'auto', tag: undefined, isAutomatic: true, status: 'uploaded' })
      const statusChanges = [
        live('b', 'started'),
        live('b', 'stopped'),
        live('c', 'started'),
        live('c', 'stopped'),
        automatic,
      ]
      expect(against({ statusChanges })).toEqual([])
    })
  })

  describe('nothing left running', () => {
    it.each<[string, Partial<TimedStatusChange>]>([
      ['the archive a-show/program/1 is paused', { status: 'paused' }],
      ['the broadcast a-show/program/1 is started', { kind: 'broadcast' }],
      ['the composer slides is starting', { kind: 'composer', tag: undefined, name: 'slides', status: 'starting' }],
      ['the call one is ACTIVE', { kind: 'call', tag: undefined, name: undefined, status: 'ACTIVE' }],
      ['the automatic archive one is started and no result names it', { isAutomatic: true, tag: undefined }],
    ])('finds that %s', (detail, last) => {
      const trace = [1, 2, 3].map((minutes) => listAt(minutes * 61_000))
      expect(broken({ statusChanges: [change(last)], trace })).toContain(`nothing left running: ${detail}`)
    })

    it('excepts an automatic archive that begins after the report, since its session continues', () => {
      const automatic = (createdAt: number) => change({ id: 'auto', isAutomatic: true, tag: undefined, createdAt })
      expect(broken({ statusChanges: [change({ status: 'uploaded' }), automatic(HOUR + 1)] })).not.toContain('running')
      const before = { statusChanges: [change({ status: 'uploaded' }), automatic(HOUR - 1)] }
      const trace = [1, 2, 3].map((minutes) => listAt(HOUR + minutes * 61_000))
      expect(broken({ ...before, trace })).toContain('no result names it')
      expect(broken({ ...before, trace: trace.slice(1) })).not.toContain('running') // the platform never listed it
    })

    it('excepts automatic archives that the result names, and unknown dials', () => {
      const automatic = change({ id: 'auto', isAutomatic: true, tag: undefined })
      const call = change({ kind: 'call', id: 'call', status: 'ACTIVE', tag: undefined })
      const named = withResult({
        automaticArchives: [{ archiveId: 'auto' }] as never,
        dialIns: [{ name: 'desk', status: 'unknown' }],
      })
      expect(broken({ statusChanges: [change({ status: 'uploaded' }), automatic, call], ...named })).not.toContain(
        'running',
      )
    })
  })

  describe('noticed in time', () => {
    const LIVE = 4_000_000
    const at = (seconds: number) => BEGINNING + LIVE + seconds * 1000
    const iso = (seconds: number) => new Date(at(seconds)).toISOString()
    const faultAt = (seconds: number, fault: string): TraceEntry => ({ at: at(seconds), line: '', fault })
    const failedCallAt = (seconds: number, caller: string): FailedCall => ({
      ...{ caller, operation: 's3 GetObject', kind: '500', at: at(seconds) },
    })
    /** A show that was live from second 0 and was to end at 600. */
    const live = (more: object = {}, endedAt = 600) => [
      {
        ...well,
        state: {
          ...{ ...well.state, liveAt: iso(0), plannedEndAt: iso(600), endedAt: iso(endedAt) },
          ...{ recordings: [recording], broadcasts: [], timeline: [], ...more },
        } as unknown as ShowState,
      },
    ]
    const until = (status: string, seconds: number, more: Partial<TimedStatusChange> = {}) => [
      change({ at: at(0), ...more }),
      change({ status, at: at(seconds), ...more }),
    ]
    const failedAt = (seconds: number) => [{ what: 'recording.failed', name: 'program', part: 1, at: iso(seconds) }]
    const late = (more: Partial<Evidence>) => broken(more).match(/noticed in time: .*/)?.[0]

    it('has nothing against what is noticed as soon as it can be', () => {
      expect(late({ shows: live(), statusChanges: until('stopped', 600) })).toBeUndefined()
      expect(late({ shows: live({ timeline: failedAt(150) }), statusChanges: until('failed', 100) })).toBeUndefined()
      expect(late({ shows: live({}, 160), statusChanges: until('stopped', 100) })).toBeUndefined()
      const asked = live({ stopAskedAt: iso(100) }, 150)
      expect(late({ shows: asked, statusChanges: until('stopped', 104) })).toBeUndefined()
      const moved = [{ what: 'control.duration', at: iso(590) }]
      expect(late({ shows: live({ timeline: moved }, 640), statusChanges: until('stopped', 640) })).toBeUndefined()
    })

    it('lets a show wait for the end of a pause, and for participants to come back', () => {
      const pauses = [{ from: 100, to: 300 }]
      const request = { show: { ...show, recordings: [{ name: 'program', pauses }] } } as unknown as ShowRequest
      const paused = (endedAt: number) => live({}, endedAt).map((one) => ({ ...one, request }))
      expect(against({ shows: paused(660), statusChanges: until('stopped', 102) })).not.toContainEqual(
        expect.stringContaining('nothing ran'),
      )
      expect(broken({ shows: paused(661), statusChanges: until('stopped', 102) })).toContain('nothing ran')
    })

    it.each<[string, Partial<Evidence>]>([
      [
        'it was noticed that the archive a-show/program/1 had failed after 61 s',
        { shows: live({ timeline: failedAt(161) }), statusChanges: until('failed', 100) },
      ],
      [
        'it was noticed that the archive a-show/program/1 had failed after Infinity s',
        { shows: live(), statusChanges: until('failed', 100) },
      ],
      [
        'the show a-show, of which nothing ran any more, ended after 61 s',
        { shows: live({}, 161), statusChanges: until('stopped', 100) },
      ],
      ['the show a-show ended after 11 s', { shows: live({}, 611), statusChanges: until('stopped', 611) }],
      [
        'the archive a-show/program/1 was stopped on request after 6 s',
        { shows: live({ stopAskedAt: iso(100) }, 150), statusChanges: until('stopped', 106) },
      ],
      [
        'the show a-show ended on request after 61 s',
        { shows: live({ stopAskedAt: iso(100) }, 161), statusChanges: until('stopped', 102) },
      ],
      [
        'the archive a-show/program/1 was stopped with its show after 11 s',
        { shows: live({}, 600), statusChanges: until('stopped', 611) },
      ],
    ])('finds that %s', (words, evidence) => {
      expect(late(evidence)).toBe(`noticed in time: ${words}`)
      const time = words.endsWith(' 11 s') ? 595 : 90
      const isForEver = words.includes('Infinity') // a fault delays what is noticed, and no more
      expect(late({ ...evidence, failedCalls: [failedCallAt(time, 'WatchShow')] }) !== undefined).toBe(isForEver)
      expect(late({ ...evidence, failedCalls: [failedCallAt(time, 'NotifyOwner')] })).toBeDefined()
      expect(late({ ...evidence, trace: [faultAt(time, 'restart')] }) !== undefined).toBe(isForEver)
      expect(late({ ...evidence, trace: [faultAt(time, 'broken archive')] })).toBeDefined()
    })
  })

  describe('every archive accounted for', () => {
    const lost = (words: string) => [{ ...recording, lost: words }]
    it.each<[string, Partial<Evidence>]>([
      ['the archive a-show/program/1 (one) is not in the result', withResult({ recordings: [] })],
      ['the result has no outcome of the recording program', withResult({ recordings: [] })],
      ['the archive a-show/program/1 is lost without a reason', withResult({ recordings: lost('') })],
      ['the archive a-show/program/1 is not lost by the result, and not in the bucket', { objects: new Map() }],
      [
        'the archive a-show/program/1 has 3 bytes in the bucket, and 4 by the platform',
        { objects: new Map([['1234/one/archive.mp4', { ...object, size: 3 }]]) },
      ],
      [
        'the archive a-show/program/1 in the bucket is not the one that the platform recorded',
        { objects: new Map([['1234/one/archive.mp4', { ...object, sha256: 'other' }]]) },
      ],
      [
        'the result names a file of program that is not in the bucket',
        withResult({ recordings: [{ ...recording, key: 'elsewhere' }] }),
      ],
    ])('finds that %s', (detail, more) => {
      expect(broken(more)).toContain(`every archive accounted for: ${detail}`)
    })

    it('takes a loss that is named with its reason', () => {
      const named = against({ ...withResult({ recordings: lost('The platform failed.') }), objects: new Map() })
      expect(named.filter((one) => one.startsWith('every archive accounted for'))).toEqual([])
    })
  })

  describe('every show reported', () => {
    it.each<[string, Partial<Evidence>]>([
      ['the show a-show has no result: its state is succeeded', { shows: [{ ...well, result: undefined }] }],
      ['the show a-show ended as live', withResult({ status: 'live' as never })],
      ['the show a-show is failed by its result and succeeded by its state', withResult({ status: 'failed' })],
      [
        'the show a-show took 172800 s where at most 15120 s are expected',
        withResult({ reportedAt: new Date(48 * HOUR).toISOString() }),
      ],
      ['the event bus has no show.ended of the show a-show', { events: [] }],
      [
        'https://app.example.com/ received no show.ended of the show a-show',
        withShow({ callback: { url: 'https://app.example.com/' } }),
      ],
      [
        'the id e1 stands for show.ended a-show    and for show.ended b-show',
        { events: [ended, { ...ended, detail: { id: 'e1', showId: 'b-show' } }] },
      ],
      ['an event show.ended has no id to deduplicate by', { events: [{ ...ended, detail: { showId: 'a-show' } }] }],
    ])('finds that %s', (detail, more) => {
      expect(broken(more).replace(/ +/g, ' ')).toContain(`every show reported: ${detail}`.replace(/ +/g, ' '))
    })

    it('accepts a callback that was received, or that the app refused', () => {
      const asked = withShow({ callback: { url: 'https://app.example.com/' } })
      const body = JSON.stringify({ id: 'e1', event: 'show.ended', showId: 'a-show' })
      const callbacks = [{ at: 0, url: 'https://app.example.com/', headers: {}, body }]
      expect(broken({ ...asked, callbacks })).not.toContain('received no show.ended')
      expect(
        against({
          ...asked,
          trace: [{ at: 0, line: '', call: { caller: 'NotifyOwner', name: 'app POST /', status: 410 } }],
        }),
      ).toEqual([])
    })
  })

  describe('bounded histories', () => {
    it('finds histories that are too long, and payloads that are too large', () => {
      const entered = { stateEnteredEventDetails: { input: 'ß'.repeat(140_000) } }
      expect(broken({ executions: execution([entered]) })).toContain('has a payload of 280000 bytes')
      expect(broken({ executions: execution(Array(5_001).fill({})) })).toContain('has 5001 events')
      expect(against({ executions: execution(Array(5_000).fill({})) })).toEqual([])
    })
  })

  describe('no secret shown', () => {
    const secret = 'open-sesame'
    const encoded = Buffer.from(secret).toString('base64')
    it.each<[string, Partial<Evidence>]>([
      ['the history of show a-show', { executions: execution([{ details: { input: `{"k":"${secret}"}` } }]) }],
      ['the object shows/a/state.json', { objects: new Map([['shows/a/state.json', { ...object, text: encoded }]]) }],
      ['a version of the object a', { formerObjects: [{ key: 'a', text: secret }] }],
      ['the event call.ended', { platformEvents: [{ ...ended, 'detail-type': 'call.ended', detail: { secret } }] }],
      ['a message of letters', { messages: [{ queue: 'letters', text: secret }] }],
      ['the log', { output: ['well', `key ${secret}`] }],
      ['the trace', { trace: [{ at: 0, line: secret }] }],
      ['the event show.ended', { events: [{ ...ended, detail: { id: 'e1', showId: 'a-show', secret } }] }],
      ['a callback to u', { callbacks: [{ at: 0, url: 'u', headers: {}, body: `{"id":"x","key":"${secret}"}` }] }],
    ])('finds one in %s', (place, more) => {
      expect(broken(more)).toContain(`no secret shown: ${place} shows the key`)
    })

    it.each([
      ['a token', 'Bearer eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiIxIn0.c2lnbmF0dXJl'],
      ['a signed address', 'https://bucket/archive.mp4?X-Amz-Signature=00'],
    ])('finds %s', (name, text) => {
      expect(broken({ output: [text] })).toContain(`the log shows ${name}`)
    })
  })
})
