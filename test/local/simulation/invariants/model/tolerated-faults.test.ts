import { describe, expect, it } from 'vitest'
import { toleratedFaults } from '../../../../../local/simulation/invariants/model/tolerated-faults.ts'
import { change } from '../made-up-evidence.ts'

/** Judges an invocation with these faults, the statuses of its calls, and this outcome. */
const judge = (
  faults: readonly string[],
  outcome: string,
  { operation = 'platform startArchive', statuses = [] as number[] } = {},
) =>
  toleratedFaults({
    statusChanges: [],
    trace: [
      { at: 0, line: '    0.000 cloud -> StartRecording/2 invoked' },
      ...faults.map((fault) => ({ at: 1, line: `    0.001 fault: StartRecording/2 -> ${operation} ${fault}`, fault })),
      ...statuses.map((status) => ({ at: 1, line: '', call: { caller: 'StartRecording/2', name: operation, status } })),
      { at: 2, line: `    0.002 StartRecording/2 -> cloud ${outcome}` },
    ],
  })

describe('toleratedFaults', () => {
  it('finds an invocation that fails by one lost answer of the platform', () => {
    expect(judge(['lost after'], 'PlatformConflictError')).toEqual([
      'StartRecording/2 failed with PlatformConflictError at 1970-01-01T00:00:00.002Z, after 0.001 fault: StartRecording/2 -> platform startArchive lost after',
    ])
  })

  it('accepts one that succeeds, and one without a fault', () => {
    expect(judge(['500'], 'done')).toEqual([])
    expect(judge([], 'ShowStoppedError')).toEqual([])
  })

  it('accepts a refusal that the fault has not caused', () => {
    expect(judge(['500'], 'PlatformConflictError', { statuses: [409] })).toEqual([])
    expect(judge(['lost after'], 'PlatformConflictError', { statuses: [409, 409] })).toEqual([])
    expect(judge(['lost after'], 'PlatformConflictError', { statuses: [200, 409] })).toHaveLength(1)
  })

  it('accepts a failed start of what has no tag', () => {
    expect(judge(['500'], 'PlatformUnavailableError', { operation: 'platform startComposer' })).toEqual([])
  })

  it('excuses a second fault, one that is not repeated, and one of AWS', () => {
    expect(judge(['500', 'lost after'], 'PlatformUnavailableError')).toEqual([])
    expect(judge(['403'], 'PlatformRequestError')).toEqual([])
    expect(judge(['500'], 'StorageError', { operation: 's3 PutObject shows/a-show/state.json' })).toEqual([])
  })

  it('accepts a rotation of the project secret that waits for a show after the call was repeated', () => {
    const caller = 'RotateProjectSecret'
    const listed = { caller, name: 's3 ListObjectsV2', status: 200 }
    const unlocked = { caller, name: 's3 DeleteObject', status: 204 }
    const rotation = (status: number) =>
      toleratedFaults({
        statusChanges: [],
        trace: [
          { at: 0, line: '    0.000 cloud -> RotateProjectSecret invoked' },
          {
            at: 1,
            line: '    0.001 fault: RotateProjectSecret -> platform getProject lost before',
            fault: 'lost before',
          },
          { at: 1, line: '', call: { caller, name: 'platform getProject', status } },
          { at: 1, line: '    0.001 RotateProjectSecret -> s3 ListObjectsV2 index/unfinished/ -> 200', call: listed },
          { at: 1, line: '    0.001 RotateProjectSecret -> s3 DeleteObject rotation-lock.json -> 204', call: unlocked },
          { at: 2, line: '    0.002 RotateProjectSecret -> cloud ServiceError' },
        ],
      })
    expect(rotation(200)).toEqual([])
    expect(rotation(500)).toHaveLength(1)
  })

  it('accepts a rotation of the upload key that waits for an upload', () => {
    const fault = 'lost before'
    const rotation = (last: string, target = 200, caller = 'RotateUploadKey/2') => [
      { at: 0, line: `    0.000 cloud -> ${caller} invoked` },
      { at: 1, line: `    0.001 fault: ${caller} -> platform setUploadTarget ${fault}`, fault },
      { at: 1, line: '', call: { caller, name: 'platform setUploadTarget', status: target } },
      { at: 1, line: '', call: { caller, name: last, status: 200 } },
      { at: 2, line: `    0.002 ${caller} -> cloud ServiceError` },
    ]
    const [started, uploaded] = [change(0), change(1, { status: 'uploaded' })]
    const list = 'platform listArchives'
    expect(toleratedFaults({ trace: rotation(list), statusChanges: [started] })).toEqual([])
    expect(toleratedFaults({ trace: rotation(list), statusChanges: [started, uploaded] })).toHaveLength(1)
    for (const trace of [rotation('s3 POST'), rotation(list, 500), rotation(list, 200, 'StartRecording')])
      expect(toleratedFaults({ trace, statusChanges: [started] })).toHaveLength(1)
  })

  it('accepts a failure while the platform is gone', () => {
    const trace = (gone: number) => [
      { at: 0, line: '    0.000 fault: the platform is gone for 5 s', fault: 'restart' },
      { at: gone, line: '    0.000 cloud -> SetUploadTarget invoked' },
      {
        at: gone,
        line: '    0.001 fault: SetUploadTarget -> platform setUploadTarget lost before',
        fault: 'lost before',
      },
      { at: gone, line: '    0.002 SetUploadTarget -> cloud PlatformUnavailableError' },
    ]
    expect(toleratedFaults({ statusChanges: [], trace: trace(4_000) })).toEqual([])
    expect(toleratedFaults({ statusChanges: [], trace: trace(6_000) })).toHaveLength(1)
  })

  it('accepts a rescue whose download is damaged', () => {
    const damage = { at: 1, line: '    0.001 fault: a download is truncated', fault: 'damaged download' }
    const trace = [
      { at: 0, line: '    0.000 cloud -> RescueArchive invoked' },
      { at: 1, line: '    0.001 fault: RescueArchive -> platform getArchive 500', fault: '500' },
      { at: 2, line: '    0.002 RescueArchive -> cloud ServiceError' },
    ]
    expect(toleratedFaults({ statusChanges: [], trace })).toHaveLength(1)
    expect(toleratedFaults({ statusChanges: [], trace: trace.toSpliced(2, 0, damage) })).toEqual([])
  })
})
