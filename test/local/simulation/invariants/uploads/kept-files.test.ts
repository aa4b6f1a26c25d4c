import { describe, expect, it } from 'vitest'
import { keptFiles } from '../../../../../local/simulation/invariants/uploads/kept-files.ts'
import { change } from '../made-up-evidence.ts'

const judge = (...statuses: string[]) =>
  keptFiles({ statusChanges: statuses.map((status, at) => change(at, { status: status as never })) })

describe('keptFiles', () => {
  it('finds an archive that fails once it is stopped', () => {
    expect(judge('started', 'stopped', 'failed')).toEqual([
      'the platform kept no file of the archive a-show/program/1, whose upload failed',
    ])
  })

  it('accepts an archive that is kept, and one that fails while it records', () => {
    expect(judge('started', 'stopped', 'available')).toEqual([])
    expect(judge('started', 'failed')).toEqual([])
  })
})
