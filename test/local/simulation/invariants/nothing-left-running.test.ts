import { describe, expect, it } from 'vitest'
import type { TimedStatusChange } from '../../../../local/simulation/environment/watch-resources.ts'
import { broken, change, HOUR, listAt, withResult } from './made-up-world.ts'

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
