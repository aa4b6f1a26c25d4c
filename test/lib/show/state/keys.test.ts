import { describe, expect, it } from 'vitest'
import { idInIndexKey, indexPrefixes, keys, parseArchiveKey } from '../../../../lib/show/state/keys.ts'

const archiveId = 'b40ef09b-3811-4726-b508-e41a0f96c68f'
const now = Date.UTC(2026, 10, 20, 9)

describe('keys', () => {
  it('give an index that lists newest first in ascending order, and by id where times are equal', () => {
    const newestFirst = [
      keys.showIndex(9_999_999_999_999, 'in-2286'),
      keys.showIndex(now + 1, 'a'),
      keys.showIndex(now, 'b'),
      keys.showIndex(now, 'c'),
      keys.showIndex(999, 'in-1970'),
      keys.showIndex(1, 'first'),
    ]
    expect(newestFirst.toSorted()).toEqual(newestFirst)
  })

  it('of an index begin with its prefix and end with their id', () => {
    expect(keys.showIndex(now, 'a-show-1')).toMatch(new RegExp(`^${indexPrefixes.shows}\\d{13}-a-show-1$`))
    expect(keys.recordingIndex(now, archiveId)).toMatch(new RegExp(`^${indexPrefixes.recordings}\\d{13}-`))
    for (const id of ['a', '0-1', archiveId, '9'.repeat(64)]) {
      expect(idInIndexKey(keys.showIndex(now, id))).toBe(id)
      expect(idInIndexKey(keys.recordingIndex(now, id))).toBe(id)
    }
  })

  it('of published files begin with the archive’s folder', () => {
    const key = keys.published(archiveId, 'hls', '0123456789ab', 'index.m3u8')
    expect(key).toBe(`${keys.recording(archiveId)}hls/0123456789ab/index.m3u8`)
  })

  it('of an archive are read back', () => {
    expect(parseArchiveKey(keys.archive('100001', archiveId))).toEqual({
      projectKey: '100001',
      archiveId,
      file: 'archive.mp4',
    })
    expect(parseArchiveKey(`100001/${archiveId}/archive.zip`)?.file).toBe('archive.zip')
  })
})

describe('parseArchiveKey', () => {
  it.each([
    keys.request('a-show'),
    keys.manifest(archiveId),
    keys.published(archiveId, 'poster', 'e', 'poster.jpg'),
    `recordings/${archiveId}/archive.mp4`,
    `100001/${archiveId}/archive.mp4.part`,
    `100001/${archiveId}/archive.mov`,
    `a/100001/${archiveId}/archive.mp4`,
    '100001/../archive.mp4',
    '100001//archive.mp4',
    `100001/${archiveId}/archive.mp4\n`,
  ])('finds no archive in %j', (key) => {
    expect(parseArchiveKey(key)).toBeUndefined()
  })
})
