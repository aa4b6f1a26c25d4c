import { describe, expect, it } from 'vitest'
import type { Evidence } from '../../../../local/simulation/invariants/evidence.ts'
import { against, broken, object, recording, withResult } from './made-up-world.ts'

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
