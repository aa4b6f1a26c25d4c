import { describe, expect, it } from 'vitest'
import { limits } from '../../../../../lib/platform/contract/limits.ts'
import {
  attemptAfter,
  idPattern,
  isTagOf,
  partOfTag,
  publishExecutionName,
  rebuildExecutionName,
  tagOf,
} from '../../../../../lib/show/document/fields/names.ts'

const archiveId = 'b40ef09b-3811-4726-b508-e41a0f96c68f'

describe('tagOf', () => {
  it('distinguishes shows, resources and parts, and fits the name that repeats it', () => {
    expect(tagOf('one', 'program')).toBe('one/program/1')
    expect(tagOf('one', 'program', 2)).toBe('one/program/2')
    expect(tagOf('a'.repeat(64), 'b'.repeat(64), 9).length).toBeLessThanOrEqual(limits.archiveName.value)
  })
})

describe('isTagOf', () => {
  it('recognizes the tags of a show, and no others', () => {
    expect(isTagOf('one', tagOf('one', 'program'))).toBe(true)
    expect(isTagOf('one', tagOf('one-more', 'program'))).toBe(false)
    for (const none of ['one', '', null, undefined]) expect(isTagOf('one', none)).toBe(false)
  })
})

describe('idPattern', () => {
  it.each(['a', '0', 'a-1', 'a'.repeat(64)])('accepts %s', (id) => {
    expect(id).toMatch(idPattern)
  })

  it.each(['', 'A', 'a b', 'a/b', '..', 'ä', 'a'.repeat(65), 'a\n'])('refuses %j', (id) => {
    expect(id).not.toMatch(idPattern)
  })
})

describe('partOfTag', () => {
  it('reads the tags that tagOf makes, and no others', () => {
    expect(partOfTag(tagOf('a-show', 'live_1', 12))).toEqual({ showId: 'a-show', name: 'live_1', part: 12 })
    for (const tag of ['a-show/live', 'a-show/live/0', 'a-show/live/x', 'a-show/a/b/1', '/live/1', undefined])
      expect(partOfTag(tag)).toBeUndefined()
  })
})

describe('publishExecutionName', () => {
  it('is a valid name for Step Functions, with any spelling of the ETag', () => {
    const name = publishExecutionName(archiveId, '9e107d9d372bb6826bd81d3542a419d6-10000')
    expect(name).toBe(`${archiveId}-9e107d9d372bb6826bd81d3542a419d6-10000`)
    expect(name).toMatch(/^[0-9A-Za-z_-]{1,80}$/)
    expect(publishExecutionName(archiveId, '"ab"')).toBe(publishExecutionName(archiveId, 'ab'))
  })

  it('differs for another upload of the same archive', () => {
    expect(publishExecutionName(archiveId, 'ab')).not.toBe(publishExecutionName(archiveId, 'ab-2'))
    const again = publishExecutionName(archiveId, '9e107d9d372bb6826bd81d3542a419d6-10000', 9)
    expect(again).toBe(`${archiveId}-9e107d9d372bb6826bd81d3542a419d6-10000-r9`)
    expect(again.length).toBeLessThanOrEqual(80)
  })
})

describe('attemptAfter', () => {
  it('continues counting from the name of any attempt', () => {
    const etag = '9e107d9d372bb6826bd81d3542a419d6-10000'
    const arrival = publishExecutionName(archiveId, etag)
    expect(attemptAfter(arrival)).toEqual({ attempt: 2, name: publishExecutionName(archiveId, etag, 2) })
    expect(attemptAfter(publishExecutionName(archiveId, etag, 2))).toEqual({
      attempt: 3,
      name: publishExecutionName(archiveId, etag, 3),
    })
    const rebuild = rebuildExecutionName(archiveId, 'abc')
    expect(attemptAfter(rebuild)).toEqual({ attempt: 2, name: `${rebuild}-r2` })
  })

  it('stays within the 80 characters of a name', () => {
    const long = 'a'.repeat(80)
    expect(attemptAfter(long).name).toBe(`${'a'.repeat(77)}-r2`)
    expect(attemptAfter(attemptAfter(long).name).name).toBe(`${'a'.repeat(77)}-r3`)
  })
})
