import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { beforeAll, describe, expect, it } from 'vitest'
import { runFfmpeg } from '../../../../lib/media/ffmpeg/ffmpeg.ts'
import { readFfmpegBuild } from '../../../../lib/media/ffmpeg/ffmpeg-build.ts'
import { cutPiece } from '../../../../lib/media/hls/cut-piece.ts'
import { type ReadFrame, readFragments } from '../../../../lib/media/hls/fragment-reader.ts'
import { planPieces } from '../../../../lib/media/hls/pieces.ts'
import { MediaError } from '../../../../lib/media/media-error.ts'
import { expectValidPlaylists } from '../../../support/hls/read-presentation.ts'
import { aac, h264, inMemory, lavfi, picture, tone, useClips } from '../clips.ts'
import { countReads } from '../count-reads.ts'
import { type Package, packageOf, packetsIn, packetsOfPackage } from './package-of.ts'
import { expectValid, expectWhole, totalDuration } from './rfc8216.ts'

const bFrames = ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '3', '-g', '60', '-pix_fmt', 'yuv420p']
const nothing = async () => {}

describe('cutPiece', () => {
  const clips = useClips()
  let path: string
  let made: Package
  const playlist = (name: string) => made.files.get(name)?.toString() ?? ''
  const packaged = async (file: string, seconds = 10) => packageOf(await clips.open(file), seconds, `${file}-hls`)

  beforeAll(async () => {
    path = await clips.make('whole.mp4', ...picture(30), ...tone(30), ...bFrames, ...aac)
    made = await packaged(path)
  })

  it('puts every packet into exactly one piece, at its time', async () => {
    const { pieces } = made.plan
    expect(pieces).toEqual([
      { index: 0, start: 0, end: 12 },
      { index: 1, start: 12, end: 22 },
      { index: 2, start: 22, end: expect.closeTo(30, 1) },
    ])
    expect(await packetsOfPackage(made)).toEqual(await packetsIn(path))
  })

  it('decodes in ffmpeg to the same frames as the original', async () => {
    const packets = async (file: string) => {
      const maps = ['-map', '0:v', '-map', '0:a']
      const words = await runFfmpeg(clips.ffmpegPath, [
        '-copyts',
        '-i',
        file,
        ...maps,
        '-c',
        'copy',
        '-f',
        'framemd5',
        '-',
      ])
      const lines = words
        .toString()
        .split('\n')
        .filter((line) => /^[01],/.test(line))
      return lines
        .map((line) => line.split(/, */))
        .map(([track, , pts, , size, md5]) => [track, pts, size, md5].join())
        .sort()
    }
    expect(await packets(join(`${path}-hls`, 'master.m3u8'))).toEqual(await packets(path))
  })

  it('shows the first frame at 0 without an edit list, though frames refer to later ones', async () => {
    const init = made.files.get('video-init.mp4') as Buffer
    expect(init.includes('edts')).toBe(false)
    const frames: ReadFrame[] = []
    const pieces = made.plan.pieces.map(({ index }) => made.files.get(`video-${index}.mp4`) as Buffer)
    const onFrame = async (frame: ReadFrame) => void frames.push(frame)
    await readFragments(Readable.from([init, ...pieces]), { onConfiguration: () => {}, onFrame })
    expect(frames).toHaveLength(900)
    expect(Math.min(...frames.map(({ time }) => time))).toBe(0)
    expect(frames.every(({ time, decodeTime }) => decodeTime <= time)).toBe(true)
    expect(frames.every(({ decodeTime }, index) => decodeTime > (frames[index - 1]?.decodeTime ?? -1))).toBe(true)
  })

  it('makes segments, I-frames and durations that RFC 8216 allows', async () => {
    expect(await expectValidPlaylists(playlist('master.m3u8'), async (uri) => playlist(uri))).toBe(3)
    for (const name of ['video.m3u8', 'audio.m3u8', 'iframes.m3u8']) {
      expectValid(playlist(name), made.files)
      expect(totalDuration(playlist(name))).toBeCloseTo(30, 1)
    }
    expectWhole(playlist('video.m3u8'), made.files)
    expectWhole(playlist('audio.m3u8'), made.files)
    expect(made.renditions.video?.pieces.flatMap(({ index }) => index.segments.map(({ start }) => start))).toEqual([
      0, 6, 12, 18, 22, 28,
    ])
    expect(playlist('iframes.m3u8').match(/#EXTINF:2\.000000/g)).toHaveLength(15)
    expect(playlist('master.m3u8')).toContain('RESOLUTION=320x240,FRAME-RATE=30.000,AUDIO="audio"')
  })

  it('makes I-frames that decode from their range alone', async () => {
    const init = made.files.get('video-init.mp4') as Buffer
    const { offset, size } = made.cuts[1]?.video?.index.iframes[2] ?? { offset: 0, size: 0 }
    const range = made.files.get('video-1.mp4')?.subarray(offset, offset + size) as Buffer
    const args = ['-i', 'pipe:0', '-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'gray', 'pipe:1']
    expect(await runFfmpeg(clips.ffmpegPath, args, [init, range])).toHaveLength(320 * 240)
  })

  it('makes playlists of I-frames that ffmpeg plays', async () => {
    const frames = made.renditions.video?.pieces.flatMap(({ uri, index }) =>
      index.iframes.map(({ offset, size }) => made.files.get(uri)?.subarray(offset, offset + size) as Buffer),
    )
    const input = [made.files.get('video-init.mp4') as Buffer, ...(frames ?? [])]
    const { frameTiming } = await readFfmpegBuild(clips.ffmpegPath)
    const args = [
      '-v',
      'warning',
      '-i',
      'pipe:0',
      '-f',
      'rawvideo',
      '-pix_fmt',
      'gray',
      frameTiming,
      'passthrough',
      'pipe:1',
    ]
    expect(await runFfmpeg(clips.ffmpegPath, args, input)).toHaveLength(320 * 240 * 15)
  })

  it('has one init segment for all pieces, and gives the same bytes again', async () => {
    for (const track of ['video', 'audio'] as const) {
      for (const cut of made.cuts)
        expect(cut[track]?.init.equals(made.files.get(`${track}-init.mp4`) as Buffer)).toBe(true)
    }
    const again = await packageOf(await clips.open(path), 10, `${path}-again`)
    expect([...again.files]).toEqual([...made.files])
  })

  it('reads a piece in large windows, and hardly more than it holds', async () => {
    const [piece] = made.plan.pieces
    const counted = countReads(await clips.open(path))
    await cutPiece(counted, piece ?? { start: 0, end: 1 }, nothing)
    expect(counted.reads).toBeLessThan(15)
    expect(counted.bytesRead).toBeLessThan(counted.size * 1.2)
  })

  it.each([
    ['fragmented', ['-movflags', '+frag_keyframe+empty_moov']],
    ['cut inside a GOP', ['-ss', '3.3']],
    ['audio alone', ['-vn']],
    ['picture alone', ['-an']],
    ['picture half a second late', ['-itsoffset', '0.5']],
  ])('serves a file that is %s', async (name, args) => {
    const before = args[0] === '-ss' || args[0] === '-itsoffset' ? args : []
    const behind = before.length > 0 ? [] : args
    const late = args[0] === '-itsoffset' ? ['-i', path, '-map', '1:a', '-map', '0:v'] : []
    const file = await clips.make(
      `${name.replaceAll(' ', '-')}.mp4`,
      ...before,
      '-i',
      path,
      ...late,
      ...behind,
      '-c',
      'copy',
    )
    const found = await packaged(file, 7)
    expect(found.plan.pieces.length).toBeGreaterThan(2)
    expect(await packetsOfPackage(found)).toEqual(await packetsIn(file))
  })

  it('keeps the times of a variable frame rate, and odd sizes', async () => {
    const source = lavfi('testsrc=size=322x182:rate=30:duration=20')
    const { frameTiming } = await readFfmpegBuild(clips.ffmpegPath)
    const vary = [
      '-vf',
      "select='not(mod(n,7))+lt(mod(n,90),40)'",
      frameTiming,
      'passthrough',
      '-video_track_timescale',
      '90000',
    ]
    const file = await clips.make('variable.mp4', ...source, ...vary, ...h264)
    expect(await packetsOfPackage(await packaged(file))).toEqual(await packetsIn(file))
  })

  it('names codecs that HLS cannot copy', async () => {
    const mp3 = await clips.make('mp3.mp4', ...tone(1), '-c:a', 'libmp3lame')
    await expect(planPieces(await clips.open(mp3))).rejects.toThrow(
      new MediaError('HLS by copy supports AAC audio: this is mp3.'),
    )
    const vp9 = await clips.make('vp9.mp4', ...picture(0.2), '-c:v', 'libvpx-vp9', '-strict', '-2')
    await expect(planPieces(await clips.open(vp9))).rejects.toThrow(
      new MediaError('HLS by copy supports H.264 and H.265 video: this is vp9.'),
    )
  })

  it('reports a truncated file, whose index lists more than it has', async () => {
    const front = await clips.make('front.mp4', '-i', path, '-c', 'copy', '-movflags', '+faststart')
    const bytes = await readFile(front)
    const mdat = bytes.indexOf('mdat') - 4
    const cut = Buffer.from(bytes.subarray(0, bytes.length - 40_000))
    cut.writeUInt32BE(cut.length - mdat, mdat) // as if nothing more had been meant to come
    const [, , last] = made.plan.pieces
    await expect(cutPiece(inMemory(cut), last ?? { start: 0, end: 1 }, nothing)).rejects.toThrow(MediaError)
  })

  it('passes errors of the source and of the receiver through', async () => {
    const down = new Error('the bucket is down')
    const source = await clips.open(path)
    const [, piece = { start: 0, end: 1 }] = made.plan.pieces
    let reads = 0
    const breaking = {
      size: source.size,
      read: (...at: [number, number]) => (++reads > 3 ? Promise.reject(down) : source.read(...at)),
    }
    await expect(cutPiece(breaking, piece, nothing)).rejects.toBe(down)
    await expect(cutPiece(source, piece, () => Promise.reject(down))).rejects.toBe(down)
  })
})
