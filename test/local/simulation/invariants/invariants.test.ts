import { describe, expect, it } from 'vitest'
import type { TimedStatusChange } from '../../../../local/simulation/environment/watch-resources.ts'
import type { Evidence } from '../../../../local/simulation/invariants/evidence.ts'
import { against, broken, change, ended, execution, HOUR, object, show, well, withResult } from './made-up-world.ts'

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

    it('finds a scene that has the composer of another one', () => {
      const composer = change({ kind: 'composer', id: 'c', tag: undefined, name: 'slides', status: 'stopped' })
      const scenes = ['slides', 'title'].map((name) => ({ name, composerId: 'c', status: 'stopped' }))
      const shows = [{ ...well, state: { ...well.state, sessionId: 'session', scenes } as never }]
      const found = broken({ statusChanges: [composer], shows })
      expect(found).toContain('one archive per part: the scene title has the composer of slides in session session')
      expect(found).not.toContain('the scene slides')
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

    it('finds two parts of a broadcast that send to the same outputs at once', () => {
      const part = (number: number, status: string, rtmpTargets = ['tv']) =>
        change({ kind: 'broadcast', id: `b${number}`, tag: `a-show/live/${number}`, status, rtmpTargets })
      const detail = 'one archive per part: several broadcasts ran at once under the outputs of a-show/live'
      expect(broken({ statusChanges: [part(1, 'started'), part(2, 'started')] })).toContain(detail)
      const oneAfterAnother = [part(1, 'started'), part(1, 'stopped'), part(2, 'started')]
      expect(broken({ statusChanges: oneAfterAnother })).not.toContain('at once')
      const withoutOutputs = [part(1, 'started', []), part(2, 'started', [])]
      expect(broken({ statusChanges: withoutOutputs })).not.toContain('at once')
      const other = change({ kind: 'broadcast', id: 'c', tag: 'a-show/backup/1', rtmpTargets: ['tv'] })
      expect(broken({ statusChanges: [part(1, 'started'), other] })).not.toContain('at once')
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
