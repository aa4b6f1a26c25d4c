import { describe, expect, it } from 'vitest'
import type { StackAct, StackStep } from '../../../../../local/simulation/deploying/stack.ts'
import type { StackState } from '../../../../../local/simulation/deploying/stack-state.ts'
import { rotatedCredentials } from '../../../../../local/simulation/invariants/stacks/rotated-credentials.ts'
import type { TraceEntry } from '../../../../../local/simulation/trace.ts'
import { created, fault, holding, other, project } from './made-up-steps.ts'

/** The end of a rotation whose former key is retired. */
const END = 4 * 3_600_000
const replacement: TraceEntry = {
  ...{ at: 30_000, line: '' },
  call: { caller: 'RotateProjectSecret/2', name: 'platform refreshSecret', status: 200 },
}
const ofSecret = { kind: 'rotation', of: 'project secret' } as const
const ofKey = { kind: 'rotation', of: 'upload key' } as const
const renewed: StackState = {
  ...created,
  projects: [other, project('200', { secretSha256: 'new' })],
  projectSecret: holding('200', 'third'),
}
const key = (accessKeyId: string, isActive = true, createdAt = 0) => ({ accessKeyId, isActive, createdAt })
const replaced: StackState = {
  ...created,
  uploadKey: { accessKeyId: 'AKIA2', isAccepted: true },
  accessKeys: [key('AKIA2')],
}
const found = (act: StackAct, after: StackState, more: { trace?: TraceEntry[]; faults?: StackStep['faults'] } = {}) => {
  const { trace = [replacement], faults = [] } = more
  return rotatedCredentials({ stackSteps: [{ from: 0, to: END, before: created, after, faults, act }], trace })
}

describe('rotatedCredentials', () => {
  it('accepts a secret that is replaced once, and a key whose former one is retired', () => {
    expect(found(ofSecret, renewed)).toEqual([])
    expect(found(ofKey, replaced)).toEqual([])
  })

  it.each<[string, Partial<StackState>]>([
    ['did not end', { projectSecret: holding('200') }],
    ['changed the key of the project', { projectSecret: holding('300', 'third') }],
    ['left a secret that the platform refuses', { projectSecret: { ...holding('200', 'third'), isAccepted: false } }],
    ['changed another project', { projects: [{ ...other, secretSha256: 'new' }, project('200')] }],
    ['changed the upload keys', { accessKeys: [] }],
  ])('finds that the rotation of the project’s secret %s', (problem, after) => {
    expect(found(ofSecret, { ...renewed, ...after })).toContain(`the rotation of the project secret ${problem}`)
  })

  it('finds a secret that is replaced twice', () => {
    expect(found(ofSecret, renewed, { trace: [replacement, replacement] })).toEqual([
      'the rotation of the project secret replaced the secret 2 times',
    ])
  })

  it.each<[string, Partial<StackState>]>([
    ['did not end', { uploadKey: created.uploadKey }],
    ['left a key that the bucket refuses', { uploadKey: { accessKeyId: 'AKIA2', isAccepted: false } }],
    ['left the keys AKIA2 (active),AKIA1 (inactive)', { accessKeys: [key('AKIA2'), key('AKIA1', false)] }],
    ['left the keys AKIA2 (inactive)', { accessKeys: [key('AKIA2', false)] }],
  ])('finds that the rotation of the upload key %s', (problem, after) => {
    expect(found(ofKey, { ...replaced, ...after })).toContain(`the rotation of the upload key ${problem}`)
  })

  it('accepts a former key until it can be retired, after another rotation has begun', () => {
    const keysAfter = (...accessKeys: StackState['accessKeys']) =>
      rotatedCredentials({
        stackSteps: [{ from: 0, to: END, before: created, after: { ...replaced, accessKeys }, faults: [], act: ofKey }],
        trace: [],
      })
    expect(keysAfter(key('AKIA2', true, END / 2), key('AKIA1'))).toEqual([])
    expect(keysAfter(key('AKIA2', true, END / 4), key('AKIA1'))).toHaveLength(1)
    expect(keysAfter(key('AKIA2', false, END / 2), key('AKIA1'))).toHaveLength(1)
  })

  it('accepts a rotation that waits for an upload, because IAM allows two keys', () => {
    const full = { ...created, isUploadUnderWay: true, accessKeys: [key('AKIA1'), key('AKIA0')] }
    const waits = (before: StackState, after: StackState) =>
      rotatedCredentials({ stackSteps: [{ from: 0, to: 60_000, before, after, faults: [], act: ofKey }], trace: [] })
    expect(waits(full, full)).toEqual([])
    const idle = { ...full, isUploadUnderWay: false }
    const others = [
      { ...full, accessKeys: [key('AKIA1')] },
      { ...full, accessKeys: [key('AKIA1'), key('AKIA0', false)] },
    ]
    for (const [before, after] of [
      [idle, full] as const,
      [full, idle] as const,
      ...others.map((one) => [one, one] as const),
    ])
      expect(waits(before, after)).toContain('the rotation of the upload key did not end')
  })

  it('accepts a former key that is kept because an archive is not uploaded', () => {
    const underWay = { ...created, isUploadUnderWay: true }
    const step = { from: 0, to: 60_000, before: underWay, faults: [], act: ofKey }
    const after = { ...replaced, accessKeys: [key('AKIA2'), key('AKIA1')] }
    expect(rotatedCredentials({ stackSteps: [{ ...step, after }], trace: [] })).toEqual([])
  })

  it('finds a key that a revocation leaves active, or does not replace', () => {
    const revocation = { kind: 'revocation', isDone: true } as const
    expect(found(revocation, replaced)).toEqual([])
    expect(found(revocation, { ...replaced, accessKeys: [key('AKIA2'), key('AKIA1', false)] })).toEqual([])
    const left = { ...replaced, accessKeys: [key('AKIA2'), key('AKIA1')] }
    expect(found(revocation, left)).toEqual(['a revocation left the key AKIA1 (active)'])
    expect(found({ ...revocation, isDone: false }, left)).toEqual([])
    expect(found(revocation, { ...left, isKeyRotating: true })).toEqual([])
    expect(found(revocation, created)).toEqual(['a revocation did not replace the upload key'])
  })

  it('finds a test that fails without a fault, and one that changes something', () => {
    const test = (problem: string) => ({ kind: 'test', of: 'upload key', problem }) as const
    expect(found(test(''), created)).toEqual([])
    expect(found(test('no value'), created)).toEqual(['the test of the upload key failed: no value'])
    expect(found(test('no value'), created, { faults: [fault('s3 PutObject', '500')] })).toEqual([])
    expect(found(test(''), replaced)).toEqual(['the test of the upload key changed something'])
  })
})
