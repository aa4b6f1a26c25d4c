import { describe, expect, it } from 'vitest'
import { storedBytes } from '../../../../../local/simulation/invariants/model/stored-bytes.ts'
import { faultAt, version, write } from '../made-up-evidence.ts'

const KEY = '1234/one/archive.mp4'
const files = new Map([['one', { size: 4, sha256: 'right' }]])
const check = (more: object, trace = [write('v', 'RescueArchive')]) =>
  storedBytes({ versions: [version('v', KEY, more)], files, trace })

describe('storedBytes', () => {
  it('accepts the bytes that were recorded, and other objects', () => {
    expect(check({})).toEqual([])
    expect(check({ key: 'shows/a-show/state.json', size: 9 })).toEqual([])
  })

  it.each([{ size: 3 }, { sha256: 'wrong' }])('finds other bytes: %o', (more) => {
    expect(check(more)[0]).toMatch(
      /^RescueArchive stored \d bytes as 1234\/one\/archive.mp4, which differ from the 4 bytes/,
    )
  })

  it('excepts an upload of a file that is truncated on the platform, but no copy of it', () => {
    const truncated = faultAt(0, 'truncated file')
    expect(check({ size: 2 }, [truncated, write('v', 'platform')])).toEqual([])
    expect(check({ size: 2 }, [truncated, write('v', 'RescueArchive')])).toHaveLength(1)
    expect(check({ size: 2 }, [write('v', 'platform')])).toHaveLength(1)
  })

  it('excepts a file that the simulation has replaced by its first half', () => {
    const replaced = {
      at: 0,
      line: `the file ${KEY} is replaced by another with the ETag e`,
      unnoticed: 'replaced file',
    }
    expect(check({ size: 2 }, [replaced])).toEqual([])
    expect(check({ size: 9 }, [replaced])).toHaveLength(1)
  })
})
