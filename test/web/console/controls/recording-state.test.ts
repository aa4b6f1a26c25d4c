import { describe, expect, it } from 'vitest'
import type { KnownRecording } from '../../../../web/console/answers.ts'
import {
  captionLanguages,
  deletionResult,
  revocation,
  withDeleted,
} from '../../../../web/console/controls/recording-state.ts'

const recording = (archiveId: string) => ({ archiveId }) as KnownRecording

describe('withDeleted', () => {
  const before = ['a', 'b', 'c'].map(recording)
  const idsOf = (listed: readonly string[], deleted: readonly string[]) =>
    withDeleted(listed.map(recording), before, new Set(deleted)).map(({ archiveId }) => archiveId)

  it('keeps recordings that were deleted on the page in their places', () => {
    expect(idsOf(['a', 'c'], ['b'])).toEqual(['a', 'b', 'c'])
    expect(idsOf([], ['a', 'c'])).toEqual(['a', 'c'])
  })

  it('leaves out those that were deleted elsewhere, and lists each once', () => {
    expect(idsOf(['a', 'c'], [])).toEqual(['a', 'c'])
    expect(idsOf(['a', 'b', 'c'], ['b'])).toEqual(['a', 'b', 'c'])
  })
})

describe('captionLanguages', () => {
  it('names the files of captions only', () => {
    const files = [
      { role: 'captions' as const, key: 'recordings/a/captions/0f6e8a52c3d9/en.vtt' },
      { role: 'chapters' as const, key: 'recordings/a/chapters.vtt' },
      { role: 'captions' as const, key: 'recordings/a/captions/1a2b3c4d5e6f/zh-Hant.vtt' },
    ]
    expect(captionLanguages(files)).toEqual(['en', 'zh-Hant'])
  })
})

describe('revocation', () => {
  it('is named by what it does', () => {
    expect([revocation('public').action, revocation('signed').action]).toEqual(['Make private', 'Revoke links'])
  })
})

describe('deletionResult', () => {
  it('reports until when the recording can be restored', () => {
    const now = Date.parse('2026-03-01T10:00:00Z')
    expect(deletionResult('2026-03-08T10:00:00Z', now, 'UTC')).toContain('restored until 8 Mar 2026, 10:00.')
    expect(deletionResult(undefined, now)).toBe('The recording is deleted.')
  })
})
