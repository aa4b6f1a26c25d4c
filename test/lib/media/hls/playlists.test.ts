import { describe, expect, it } from 'vitest'
import { writeMasterPlaylist } from '../../../../lib/media/hls/playlists/master-playlist.ts'
import {
  commonTarget,
  type Rendition,
  writeIframePlaylist,
  writeMediaPlaylist,
} from '../../../../lib/media/hls/playlists/media-playlist.ts'
import { expectValidPlaylist, expectValidPresentation } from '../../../support/hls/expect-valid-playlist.ts'

const range = (start: number, duration: number, offset: number, size: number) => ({ start, duration, offset, size })
const rendition: Rendition = {
  initUri: 'video-init.mp4',
  pieces: [
    {
      uri: 'video-0.mp4',
      index: {
        segments: [range(0, 6.4, 0, 4000), range(6.4, 6.6, 4000, 5000)],
        iframes: [range(0, 6.4, 0, 900), range(6.4, 6.6, 4000, 800)],
      },
    },
    { uri: 'video-1.mp4', index: { segments: [range(13, 2, 0, 1500)], iframes: [range(13, 2, 0, 700)] } },
  ],
}
const video = {
  uri: 'video.m3u8',
  iframesUri: 'video-iframes.m3u8',
  codec: 'avc1.64001f',
  width: 1280,
  height: 720,
  frameRate: 30000 / 1001,
  rendition,
}
const audio = { uri: 'audio.m3u8', codec: 'mp4a.40.2', channels: 2, rendition }

describe('writeMediaPlaylist', () => {
  it('writes segments of all pieces as byte ranges, none longer than the target when rounded', () => {
    expect(writeMediaPlaylist(rendition, 7).split('\n')).toEqual([
      '#EXTM3U',
      '#EXT-X-VERSION:7',
      '#EXT-X-TARGETDURATION:7',
      '#EXT-X-MEDIA-SEQUENCE:0',
      '#EXT-X-PLAYLIST-TYPE:VOD',
      '#EXT-X-INDEPENDENT-SEGMENTS',
      '#EXT-X-MAP:URI="video-init.mp4"',
      ...['#EXTINF:6.400000,', '#EXT-X-BYTERANGE:4000@0', 'video-0.mp4'],
      ...['#EXTINF:6.600000,', '#EXT-X-BYTERANGE:5000@4000', 'video-0.mp4'],
      ...['#EXTINF:2.000000,', '#EXT-X-BYTERANGE:1500@0', 'video-1.mp4'],
      '#EXT-X-ENDLIST',
      '',
    ])
  })
})

describe('writeIframePlaylist', () => {
  it('writes the I-frames and marks the playlist', () => {
    const lines = expectValidPlaylist(writeIframePlaylist(rendition)).lines
    expect(lines).toContain('#EXT-X-I-FRAMES-ONLY')
    expect(lines.filter((line) => line.startsWith('#EXT-X-BYTERANGE'))).toEqual([
      '#EXT-X-BYTERANGE:900@0',
      '#EXT-X-BYTERANGE:800@4000',
      '#EXT-X-BYTERANGE:700@0',
    ])
  })
})

/** Audio whose segments are shorter than those of the picture. */
const short: Rendition = {
  initUri: 'audio-init.mp4',
  pieces: [
    {
      uri: 'audio-0.mp4',
      index: { segments: [0, 5, 10].map((start) => range(start, 5, start * 200, 1000)), iframes: [] },
    },
  ],
}

describe('commonTarget', () => {
  it('is the same for the picture and the audio that belongs to it, in a valid presentation', () => {
    const target = commonTarget([rendition, short])
    expect(target).toBe(7)
    expectValidPresentation(
      writeMasterPlaylist({ videos: [video], audio: { ...audio, rendition: short } }),
      new Map([
        ['video.m3u8', writeMediaPlaylist(rendition, target)],
        ['video-iframes.m3u8', writeIframePlaylist(rendition)],
        ['audio.m3u8', writeMediaPlaylist(short, target)],
      ]),
    )
  })
})

describe('writeMasterPlaylist', () => {
  it('states the facts by which a player chooses', () => {
    expect(writeMasterPlaylist({ videos: [video], audio }).split('\n')).toEqual([
      '#EXTM3U',
      '#EXT-X-VERSION:7',
      '#EXT-X-INDEPENDENT-SEGMENTS',
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Audio",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="audio.m3u8"',
      '#EXT-X-STREAM-INF:BANDWIDTH=12122,AVERAGE-BANDWIDTH=11200,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=29.970,AUDIO="audio",CLOSED-CAPTIONS=NONE',
      'video.m3u8',
      '#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1396,AVERAGE-BANDWIDTH=1280,CODECS="avc1.64001f",RESOLUTION=1280x720,URI="video-iframes.m3u8"',
      '',
    ])
  })

  it('makes audio alone the only variant', () => {
    expect(writeMasterPlaylist({ videos: [], audio }).split('\n').slice(3)).toEqual([
      '#EXT-X-STREAM-INF:BANDWIDTH=6061,AVERAGE-BANDWIDTH=5600,CODECS="mp4a.40.2"',
      'audio.m3u8',
      '',
    ])
  })

  it('refuses an empty playlist, and texts that do not fit into an attribute', () => {
    expect(() => writeMasterPlaylist({ videos: [], audio: null })).toThrow(RangeError)
    expect(() => writeMasterPlaylist({ videos: [{ ...video, uri: 'a"b' }], audio })).toThrow(RangeError)
  })
})
