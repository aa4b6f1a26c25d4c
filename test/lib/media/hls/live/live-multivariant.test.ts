import { expect, it } from 'vitest'
import {
  limitsOfVideo,
  readLiveVideo,
  writeLiveMultivariant,
} from '../../../../../lib/media/hls/live/live-multivariant.ts'
import { writeLivePlaylist } from '../../../../../lib/media/hls/live/live-playlist.ts'
import { expectValidPresentation } from '../../../../support/hls/expect-valid-playlist.ts'
import { timelineOf } from './timelines.ts'

const videos = [
  { name: '720p', codec: 'avc1.42c01f', width: 1280, height: 720 },
  { name: '360p', codec: 'avc1.42c01e', width: 640, height: 360 },
]

it('names the renditions, the largest first, and shares audio', () => {
  const multivariant = writeLiveMultivariant(videos, 'index.m3u8', 30)
  const media = writeLivePlaylist(timelineOf(40), { kind: 'window', lowLatency: true })
  const uris = ['audio/index.m3u8', '720p/index.m3u8', '360p/index.m3u8']
  expectValidPresentation(multivariant, new Map(uris.map((uri) => [uri, media])))
  expect(multivariant.split('\n').slice(3, 6)).toEqual([
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Audio",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="1",URI="audio/index.m3u8"',
    '#EXT-X-STREAM-INF:BANDWIDTH=7072000,CODECS="avc1.42c01f,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=30.000,AUDIO="audio",CLOSED-CAPTIONS=NONE',
    '720p/index.m3u8',
  ])
})

it('states a bandwidth that no second of the encoder exceeds', () => {
  const [, bandwidth] = /BANDWIDTH=(\d+)/.exec(writeLiveMultivariant(videos, 'index.m3u8', 30)) ?? []
  const { maxBitrate, buffer } = limitsOfVideo({ width: 1280, height: 720 })
  expect(Number(bandwidth)).toBeGreaterThan(maxBitrate + buffer)
})

it('refuses an init segment without video', () => {
  expect(() => readLiveVideo('720p', Buffer.alloc(0))).toThrow('The rendition 720p has no H.264: its index is damaged.')
})
