import { describe, expect, it } from 'vitest'
import type { ByteSource } from '../../../../lib/media/byte-source.ts'
import { runFfmpeg } from '../../../../lib/media/ffmpeg/ffmpeg.ts'
import { makeThumbnails, type ThumbnailFile } from '../../../../lib/media/pictures/thumbnails.ts'
import { aac, h264, lavfi, picture, tone, useClips } from '../clips.ts'
import { countReads } from '../count-reads.ts'

const clips = useClips()

async function thumbnailsOf(path: string, interval?: number, source?: ByteSource): Promise<ThumbnailFile[]> {
  const opened = source ?? (await clips.open(path))
  return Array.fromAsync(
    makeThumbnails({ ffmpegPath: clips.ffmpegPath, source: opened, ...(interval && { interval }) }),
  )
}

/** The mean brightness and the size of a JPEG, or of a part of it (`xywh`). */
async function look(jpeg: Buffer, xywh?: string) {
  const [x, y, w, h] = xywh?.split(',') ?? []
  const crop = xywh ? `crop=${w}:${h}:${x}:${y},` : ''
  const output = ['-vf', `${crop}format=gray`, '-f', 'image2pipe', '-c:v', 'pgm', 'pipe:1']
  const pgm = await runFfmpeg(clips.ffmpegPath, ['-f', 'mjpeg', '-i', 'pipe:0', ...output], [jpeg])
  const [, width, height] = /^P5\s(\d+) (\d+)\s255\s/.exec(pgm.toString('latin1', 0, 40)) ?? []
  const pixels = pgm.subarray(-Number(width) * Number(height))
  return { size: `${width}x${height}`, mean: pixels.reduce((sum, value) => sum + value, 0) / pixels.length }
}

const cuesOf = (files: ThumbnailFile[]) =>
  [...(files.at(-1)?.bytes.toString() ?? '').matchAll(/(\S+) --> (\S+)\n(\S+)#xywh=(\S+)\n/g)].map(
    ([, start, end, name, xywh]) => ({ start, end, name, xywh: xywh ?? '' }),
  )

/** Grows brighter from second to second, so that a thumbnail shows its time. */
const brightening = (seconds: number, size = '320x180') =>
  lavfi(`color=black:size=${size}:rate=1:duration=${seconds},geq=lum='16+3*floor(T)':cb=128:cr=128`)
const everySecond = [...h264, '-g', '1']

describe('makeThumbnails', () => {
  it('shows the middle of each time range of the recording', async () => {
    const files = await thumbnailsOf(await clips.make('brightening.mp4', ...brightening(70), ...everySecond), 1)
    expect(files.map(({ name, role, contentType }) => [name, role, contentType])).toEqual([
      ['sprite-1.jpg', 'sprite', 'image/jpeg'],
      ['sprite-2.jpg', 'sprite', 'image/jpeg'],
      ['thumbnails.vtt', 'thumbnails', 'text/vtt'],
    ])
    expect(files[2]?.bytes.toString()).toMatch(
      /^WEBVTT\n\n00:00:00\.000 --> 00:00:01\.000\nsprite-1\.jpg#xywh=0,0,160,90\n\n/,
    )
    const cues = cuesOf(files)
    expect(cues).toHaveLength(70)
    expect(cues[61]).toEqual({
      start: '00:01:01.000',
      end: '00:01:02.000',
      name: 'sprite-2.jpg',
      xywh: '160,0,160,90',
    })
    for (const second of [0, 9, 10, 37, 59, 60, 69]) {
      const { name, xywh } = cues[second] ?? { xywh: '' }
      const jpeg = files.find((file) => file.name === name)?.bytes ?? Buffer.alloc(0)
      const luma = ((await look(jpeg, xywh)).mean / 255) * 219 + 16
      expect(Math.abs(luma - (16 + 3 * second))).toBeLessThan(1.5)
    }
    expect((await look(files[0]?.bytes ?? Buffer.alloc(0))).size).toBe('1600x540')
    expect((await look(files[1]?.bytes ?? Buffer.alloc(0))).size).toBe('1600x90')
  })

  it('keeps the shape of a portrait picture and of odd sizes', async () => {
    const upright = await clips.make('upright.mp4', ...brightening(5, '180x320'), ...everySecond)
    const files = await thumbnailsOf(upright)
    expect(cuesOf(files).map(({ xywh }) => xywh)).toEqual(['0,0,90,160', '90,0,90,160', '180,0,90,160'])
    const odd = await clips.make('odd.mp4', ...brightening(2, '426x238'), ...everySecond)
    expect(cuesOf(await thumbnailsOf(odd))[0]?.xywh).toBe('0,0,160,90')
  })

  it('continues when the resolution changes midway, and fits the other shape into the thumbnail', async () => {
    const inBand = [...everySecond, '-x264-params', 'repeat-headers=1', '-f', 'h264']
    const wide = await clips.make('wide.h264', ...lavfi('color=white:size=320x180:rate=1:duration=4'), ...inBand)
    const tall = await clips.make('tall.h264', ...lavfi('color=white:size=180x320:rate=1:duration=4'), ...inBand)
    const both = ['-protocol_whitelist', 'concat,file', '-i', `concat:${wide}|${tall}`]
    const path = await clips.make('changing.mp4', '-r', '1', ...both, '-c', 'copy')
    const files = await thumbnailsOf(path, 2)
    const [sheet] = files
    const means = await Promise.all(cuesOf(files).map(({ xywh }) => look(sheet?.bytes ?? Buffer.alloc(0), xywh)))
    const thirds = means.map(({ mean }) => Math.round((mean / 255) * 3))
    expect(thirds.toSorted()).toEqual([1, 1, 3, 3]) // which shape the file claims is up to the ffmpeg that wrote it
    expect(thirds[0]).toBe(thirds[1])
  })

  it('shares a thumbnail between time ranges with the same keyframe', async () => {
    const sparse = await clips.make(
      'sparse.mp4',
      ...lavfi('testsrc=size=160x120:rate=5:duration=9'),
      ...h264,
      '-g',
      '20',
      '-sc_threshold',
      '0',
    )
    const cues = cuesOf(await thumbnailsOf(sparse))
    expect(cues.map(({ start, end }) => [start, end])).toEqual([
      ['00:00:00.000', '00:00:04.000'],
      ['00:00:04.000', '00:00:08.000'],
      ['00:00:08.000', '00:00:09.000'],
    ])
  })

  it('gives the same bytes each time', async () => {
    const path = await clips.make('again.mp4', ...picture(4), ...h264)
    const [one, other] = await Promise.all([thumbnailsOf(path), thumbnailsOf(path)])
    expect(one).toEqual(other)
  })

  it('reads the index and a keyframe for each thumbnail, five at a time', async () => {
    const noisy = await clips.make(
      'noisy.mp4',
      ...lavfi('testsrc=size=320x240:rate=10:duration=4,noise=alls=40:allf=t'),
      ...h264,
      '-g',
      '10',
    )
    const long = await clips.make('long.mp4', '-stream_loop', '19', '-i', noisy, '-c', 'copy')
    let [underWay, most] = [0, 0]
    const file = await clips.open(long)
    const slow = countReads({
      size: file.size,
      async read(start, end) {
        most = Math.max(most, ++underWay)
        return file.read(start, end).finally(() => underWay--)
      },
    })
    const files = await thumbnailsOf(long, 8, slow)
    expect(cuesOf(files)).toHaveLength(10)
    expect(slow.reads).toBeLessThan(25) // ten of them keyframes
    expect(slow.bytesRead).toBeLessThan(slow.size / 4)
    expect(most).toBe(5)
  })

  it('passes errors of the caller and of the source through', async () => {
    const path = await clips.make('failing.mp4', ...picture(4), ...h264)
    const full = new Error('the bucket is full')
    const taking = async () => {
      for await (const _ of makeThumbnails({ ffmpegPath: clips.ffmpegPath, source: await clips.open(path) })) throw full
    }
    await expect(taking()).rejects.toBe(full)
    const file = await clips.open(path)
    const lost = new Error('connection reset')
    const failing: ByteSource = {
      size: file.size,
      read: (start, end) => (end - start > 5_000 ? Promise.reject(lost) : file.read(start, end)),
    }
    await expect(thumbnailsOf(path, 1, failing)).rejects.toBe(lost)
  })

  it('makes none of audio alone', async () => {
    expect(await thumbnailsOf(await clips.make('audio.mp4', ...tone(1), ...aac))).toEqual([])
  })
})
