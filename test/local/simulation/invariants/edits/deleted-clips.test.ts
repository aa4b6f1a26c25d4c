import { describe, expect, it } from 'vitest'
import { deletedClips } from '../../../../../local/simulation/invariants/edits/deleted-clips.ts'
import { edit } from './edits.ts'

const judge = (status: number, key: string) =>
  deletedClips({
    apiRequests: [edit('DELETE', '/clips/c1', { status })] as never,
    versions: [{ key, versionId: '1', text: '', size: 0, sha256: '' }],
  })

describe('deletedClips', () => {
  it('finds versions that a deletion has left', () => {
    expect(judge(200, 'recordings/one/clips/c1/clip.json')).toEqual([
      'the clip c1 was deleted, and a version of recordings/one/clips/c1/clip.json is left',
    ])
    expect(judge(200, 'recordings/one/clips/c2/clip.json')).toEqual([])
    expect(judge(409, 'recordings/one/clips/c1/clip.json')).toEqual([])
  })
})
