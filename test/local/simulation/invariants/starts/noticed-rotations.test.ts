import { describe, expect, it } from 'vitest'
import { noticedRotations } from '../../../../../local/simulation/invariants/starts/noticed-rotations.ts'
import type { TraceEntry } from '../../../../../local/simulation/trace.ts'

const NOTE = 's3 PutObject shows/a-show/state.json'
const READ = 's3 GetObject rotation-lock.json'

/** An invocation of the function that accepts shows. */
const accept = (names: readonly string[], { caller = 'AcceptShow', show = 'a-show' } = {}): TraceEntry[] => [
  { at: 0, line: `    0.000 cloud -> ${caller} invoked`, show },
  ...names.map((name) => ({
    ...{ at: 0, line: `    0.000 ${caller} -> ${name} -> 200`, show, call: { caller, name, status: 200 } },
  })),
  { at: 0, line: `    0.000 ${caller} -> cloud done`, show },
]
const judge = (...invocations: TraceEntry[][]) => noticedRotations({ trace: invocations.flat() })

describe('noticedRotations', () => {
  it('finds a lock that is read before the start is noted', () => {
    expect(judge(accept([READ, NOTE]))).toEqual([
      'AcceptShow read the rotation lock before it noted the start of the show a-show, at 1970-01-01T00:00:00.000Z',
    ])
    expect(judge(accept([NOTE, READ], { show: 'another-show' }), accept([READ, NOTE]))).toHaveLength(1)
  })

  it('accepts a start that is noted first, also by an earlier attempt, and one that reads no lock', () => {
    expect(judge(accept([NOTE, READ]))).toEqual([])
    expect(judge(accept([NOTE]), accept([READ], { caller: 'AcceptShow/2' }))).toEqual([])
    expect(judge(accept([]))).toEqual([])
    expect(judge(accept([READ], { caller: 'RotateProjectSecret' }))).toEqual([])
  })
})
