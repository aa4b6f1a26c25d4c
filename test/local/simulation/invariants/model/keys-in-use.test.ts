import { describe, expect, it } from 'vitest'
import { keysInUse } from '../../../../../local/simulation/invariants/model/keys-in-use.ts'
import { change } from '../made-up-evidence.ts'

const HOUR = 3_600_000
const deactivated = [{ at: HOUR, action: 'deactivated' as const, accessKeyId: 'AKIA1' }]

describe('keysInUse', () => {
  it.each([
    ['uploaded', [change(0), change(HOUR - 1, { status: 'uploaded' })]],
    ['uploaded at that moment', [change(0), change(HOUR, { status: 'uploaded' })]],
    ['started a moment ago', [change(HOUR - 20_000)]],
  ])('accepts that a key is deactivated when every archive is %s', (_, statusChanges) => {
    expect(keysInUse({ trace: [], keyChanges: deactivated, statusChanges })).toEqual([])
  })

  it.each(['started', 'paused', 'stopped'])('finds a key that is deactivated while an archive is %s', (status) => {
    expect(keysInUse({ trace: [], keyChanges: deactivated, statusChanges: [change(0, { status })] })).toEqual([
      'the upload key AKIA1 was deactivated while the archive one was not uploaded',
    ])
  })

  it('accepts that a revoked key is deactivated, and that an upload with it is refused', () => {
    const call = { caller: 'platform', name: 's3 PutObject', status: 403, path: '/bucket/1234/one/archive.mp4' }
    const revocation = (at: number) => ({ at, line: '', fault: 'revocation' })
    const trace = (at: number) => [revocation(at), { at: 2 * HOUR, line: '', call }]
    const evidence = { keyChanges: deactivated, statusChanges: [change(0)] }
    expect(keysInUse({ ...evidence, trace: trace(HOUR - 60_000) })).toEqual([])
    expect(keysInUse({ ...evidence, trace: trace(HOUR + 60_000) })).toHaveLength(1)
  })

  it('finds an upload that is refused', () => {
    const call = { caller: 'platform', name: 's3 PutObject', status: 403, path: '/bucket/1234/one/archive.mp4' }
    expect(keysInUse({ trace: [{ at: 0, line: '', call }], keyChanges: [], statusChanges: [] })).toEqual([
      'an upload of the platform was refused with 403, since its key is retired: /bucket/1234/one/archive.mp4',
    ])
  })
})
