import { describe, expect, it } from 'vitest'
import type { StackState } from '../../../../../local/simulation/deploying/stack-state.ts'
import { workingCredentials } from '../../../../../local/simulation/invariants/stacks/working-credentials.ts'
import type { TraceEntry } from '../../../../../local/simulation/trace.ts'
import { change, faultAt } from '../made-up-evidence.ts'
import { created } from './made-up-steps.ts'

const HOUR = 3_600_000
const settled = (at: number): TraceEntry => ({
  ...{ at, line: '' },
  call: { caller: 'SweepShows', name: 's3 DeleteObject index/unfinished/a-show', status: 204 },
})
const replaced = (at: number): TraceEntry => ({
  ...{ at, line: '' },
  call: { caller: 'RotateProjectSecret', name: 'platform refreshSecret', status: 200 },
})
const found = (more: Partial<Parameters<typeof workingCredentials>[0]> = {}) =>
  workingCredentials({
    ...{ stackState: created, statusChanges: [], trace: [], objects: new Map(), now: 2 * HOUR },
    ...more,
  })
const refused: StackState = { ...created, projectSecret: { ...created.projectSecret, isAccepted: false } }
const waiting: StackState = { ...refused, isSecretRotating: true }
const notEnded = ['a rotation of the project’s secret did not end', 'the platform refuses the project’s secret']

describe('workingCredentials', () => {
  it('accepts credentials that work, and those of many shows, which are not observed', () => {
    expect(found()).toEqual([])
    expect(found({ stackState: undefined })).toEqual([])
  })

  it('finds credentials that are refused', () => {
    expect(found({ stackState: refused })).toEqual(['the platform refuses the project’s secret'])
    const uploadKey = { accessKeyId: 'AKIA1', isAccepted: false }
    expect(found({ stackState: { ...created, uploadKey } })).toEqual(['the bucket refuses the upload key'])
  })

  it('finds a rotation that does not end, unless a fault or a show delays it', () => {
    expect(found({ stackState: waiting, trace: [settled(HOUR), faultAt(HOUR)] })).toEqual(notEnded)
    for (const trace of [[settled(2 * HOUR - 60_000)], [faultAt(2 * HOUR - 60_000)]])
      expect(found({ stackState: waiting, trace })).toEqual([])
    const objects = new Map([['index/unfinished/a-show', { text: '', size: 0, sha256: '' }]])
    expect(found({ stackState: waiting, objects })).toEqual([])
  })

  it('finds a secret that is replaced while a show records', () => {
    const started = change(0)
    expect(found({ statusChanges: [started], trace: [replaced(HOUR)] })).toEqual([
      'the secret of the project was replaced while a-show/program/1 was live',
    ])
    const statusChanges = [started, change(HOUR - 1, { status: 'stopped' })]
    expect(found({ statusChanges, trace: [replaced(HOUR)] })).toEqual([])
  })

  it('finds a session that a show opens before the new secret is stored, unless it is never stored', () => {
    const opened = (at: number, name = 'platform createSession'): TraceEntry => ({
      ...{ at, line: '', call: { caller: 'OpenSession', name, status: 403 } },
    })
    const stored = opened(HOUR + 90_000, 'secretsmanager PutSecretValue')
    expect(found({ trace: [replaced(HOUR), opened(HOUR + 60_000), stored] })).toEqual([
      'a show opened its session 60 s after the secret of the project was replaced',
    ])
    expect(found({ trace: [opened(HOUR - 60_000), replaced(HOUR), stored, opened(HOUR + 100_000)] })).toEqual([])
    expect(found({ trace: [replaced(HOUR), opened(2 * HOUR)] })).toEqual([])
  })
})
