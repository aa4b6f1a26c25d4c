import { describe, expect, it } from 'vitest'
import { playablePlaylists } from '../../../../../local/simulation/invariants/publishing/playable-playlists.ts'
import { evidenceOf } from '../edits/edits.ts'

const AUDIO = '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",URI="audio.m3u8"'
const rates = 'BANDWIDTH=10,AVERAGE-BANDWIDTH=6'
const PICTURE = `#EXT-X-STREAM-INF:${rates},RESOLUTION=640x480,AUDIO="audio"`
const KEY_FRAMES = `#EXT-X-I-FRAME-STREAM-INF:${rates},RESOLUTION=640x480,URI="iframes.m3u8"`
const MASTER = [AUDIO, PICTURE, 'video.m3u8', KEY_FRAMES]
const MEDIA = [
  ...['#EXTM3U', '#EXT-X-TARGETDURATION:30', '#EXT-X-MAP:URI="init.mp4"'],
  ...['#EXTINF:30.000,', 'one.mp4', '#EXTINF:30.000,', 'two.mp4', '#EXT-X-ENDLIST'],
]
const files = ['audio.m3u8', 'video.m3u8', 'iframes.m3u8', 'init.mp4', 'one.mp4', 'two.mp4']
const keyOf = (name: string) => `recordings/one/hls/${name}`

const judge = (changed: Readonly<Record<string, readonly string[]>> = {}, manifest: object = {}) => {
  const playlists = {
    'master.m3u8': MASTER,
    'audio.m3u8': MEDIA,
    'video.m3u8': MEDIA,
    'iframes.m3u8': MEDIA,
    ...changed,
  }
  const objects = Object.entries(playlists).map(([name, lines]) => [keyOf(name), lines.join('\n')])
  const rows = files.map((name) => ({ role: 'hls-media', key: keyOf(name) }))
  return playablePlaylists(
    evidenceOf([], {
      manifest: {
        archiveId: 'one',
        duration: 60,
        files: [...rows, { role: 'hls', key: keyOf('master.m3u8') }],
        ...manifest,
      },
      objects: Object.fromEntries(objects),
    }),
  ).map((problem) => problem.replace('the playlists of the recording one ', ''))
}
const without = (lines: readonly string[], ...left: readonly string[]) => lines.filter((line) => !left.includes(line))

describe('playablePlaylists', () => {
  it('accepts playlists of pictures with audio, of a picture, of audio, and of two parts', () => {
    const silent = PICTURE.replace(',AUDIO="audio"', '')
    expect(judge()).toEqual([])
    expect(judge({ 'master.m3u8': [silent, 'video.m3u8', KEY_FRAMES] })).toEqual([])
    expect(judge({ 'master.m3u8': [`#EXT-X-STREAM-INF:${rates}`, 'audio.m3u8'] })).toEqual([])
    expect(judge({ 'video.m3u8': MEDIA.toSpliced(5, 0, '#EXT-X-DISCONTINUITY') }, { parts: ['one', 'two'] })).toEqual(
      [],
    )
  })

  it('finds masters that name audio as a picture, one playlist twice, or pictures without key frames', () => {
    expect(judge({ 'master.m3u8': [] })).toEqual(['have nothing to play'])
    expect(judge({ 'master.m3u8': [...MASTER, `#EXT-X-STREAM-INF:${rates}`, 'audio.m3u8'] })).toEqual([
      'name one playlist twice',
      'offer audio as a picture',
    ])
    expect(judge({ 'master.m3u8': without(MASTER, KEY_FRAMES) })).toEqual(['have other key frames than pictures'])
    expect(judge({ 'master.m3u8': without(MASTER, AUDIO) })).toEqual(['play audio without a picture'])
    expect(judge({ 'master.m3u8': MASTER.map((line) => line.replace('BANDWIDTH=10', 'BANDWIDTH=1')) })).toHaveLength(2)
  })

  it('finds playlists that are not published, have no end, or last longer or shorter', () => {
    expect(judge({ 'master.m3u8': MASTER.with(2, 'other.m3u8') })).toEqual(['name other.m3u8, which is not published'])
    expect(judge({ 'video.m3u8': without(MEDIA, '#EXT-X-ENDLIST') })).toEqual(['have no end in video.m3u8'])
    expect(judge({ 'audio.m3u8': MEDIA.with(4, 'three.mp4') })).toEqual([
      'name three.mp4 in audio.m3u8, which is not published',
    ])
    expect(judge({ 'video.m3u8': MEDIA.with(3, '#EXTINF:40.000,') })).toEqual([
      'have segments in video.m3u8 above its target duration',
      'last 70 s in video.m3u8, and the recording 60 s',
    ])
    expect(judge({ 'video.m3u8': MEDIA.toSpliced(5, 0, '#EXT-X-DISCONTINUITY') })).toEqual([
      'have 1 breaks in video.m3u8, and 1 parts',
    ])
  })
})
