import { describe, expect, it } from 'vitest'
import { foreignKeysIn } from '../../../lib/records/foreign-keys.ts'

const source = { key: '100001/b40ef09b/archive.mp4', size: 9, sha256: null }
const file = (key: string) => ({ role: 'poster' as const, key, size: 1, sha256: null })
const foreign = (keys: readonly string[], changes: Partial<Parameters<typeof foreignKeysIn>[0]> = {}) =>
  foreignKeysIn({ archiveId: 'b40ef09b', source, files: keys.map(file), ...changes })

describe('foreignKeysIn', () => {
  it('finds nothing in files of the recording, or in its source as a file', () => {
    const own = ['recordings/b40ef09b/poster/1f/poster.jpg', 'recordings/b40ef09b/captions/a/pt-BR.vtt', source.key]
    expect(foreign(own)).toEqual([])
  })

  it.each([
    'shows/a-show/request.json',
    'recordings/another/poster/1f/poster.jpg',
    'recordings/b40ef09b-joined/poster/1f/poster.jpg',
    'recordings/b40ef09b/../another/poster.jpg',
    'recordings/b40ef09b/manifest.json',
    'recordings/b40ef09b/',
    'recordings/b40ef09b//poster.jpg',
    '100001/another/archive.mp4',
    'rotation-lock.json',
  ])('finds %s', (key) => {
    expect(foreign([key])).toEqual([key])
  })

  it.each(['shows/a-show/state.json', '100001/another/archive.mp4', '100001/b40ef09b/other.mp4'])(
    'finds the source %s, and takes no file for the source then',
    (key) => {
      expect(foreign([key], { source: { ...source, key } })).toEqual([key, key])
    },
  )

  it('allows a joined recording the files of its parts, and the source of the first', () => {
    const joined = { archiveId: 'b40ef09b-joined', parts: ['b40ef09b', 'c51'] }
    const own = ['recordings/b40ef09b-joined/joined/e/master.m3u8', 'recordings/c51/hls/e/0.mp4']
    expect(foreign(own, joined)).toEqual([])
    expect(foreign(['recordings/d62/hls/e/0.mp4'], joined)).toEqual(['recordings/d62/hls/e/0.mp4'])
    expect(foreign([], { ...joined, parts: ['c51'] })).toEqual([source.key])
    expect(foreign(['recordings/c51/hls/e/0.mp4'], { parts: ['c51'] })).toHaveLength(1)
  })
})
