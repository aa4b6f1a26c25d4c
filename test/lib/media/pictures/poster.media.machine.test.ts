import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runFfmpeg } from '../../../../lib/media/ffmpeg/ffmpeg.ts'
import { makePoster } from '../../../../lib/media/pictures/poster.ts'
import { aac, h264, inMemory, lavfi, picture, tone, useClips } from '../clips.ts'
import { countReads } from '../count-reads.ts'

describe('makePoster', () => {
  const clips = useClips()
  const posterOf = async (path: string, width?: number) => {
    const poster = await makePoster({
      ffmpegPath: clips.ffmpegPath,
      source: await clips.open(path),
      ...(width && { width }),
    })
    if (!poster) throw new Error('no poster')
    return poster
  }
  /** Decodes a JPEG again: its own size in pixels, and the brightness of each pixel. */
  const decode = async (jpeg: Buffer) => {
    const path = join(clips.directory, `${jpeg.length}.jpg`)
    await writeFile(path, jpeg)
    const header = await runFfmpeg(clips.ffmpegPath, [
      '-i',
      path,
      '-pix_fmt',
      'gray',
      '-f',
      'image2pipe',
      '-c:v',
      'pgm',
      'pipe:1',
    ])
    const [, width, height] = /^P5\s(\d+) (\d+)\s255\s/.exec(header.toString('latin1', 0, 40)) ?? []
    const pixels = header.subarray(-Number(width) * Number(height))
    const mean = pixels.reduce((sum, value) => sum + value, 0) / pixels.length
    return { width: Number(width), height: Number(height), mean }
  }

  it('makes a JPEG of the size it reports, from a keyframe of the recording', async () => {
    const path = await clips.make('plain.mp4', ...picture(5), ...tone(5), ...h264, ...aac)
    const { jpeg, time, ...size } = await posterOf(path)
    expect(size).toEqual({ width: 320, height: 240 })
    expect(await decode(jpeg)).toMatchObject(size)
    expect([0, 1, 2, 3, 4]).toContain(time)
  })

  it('scales down to the width asked for and never up', async () => {
    const path = await clips.make('odd.mp4', ...lavfi('testsrc=size=426x240:rate=10:duration=1'), ...h264)
    const small = await posterOf(path, 160)
    expect(small).toMatchObject({ width: 160, height: 90 })
    expect(await decode(small.jpeg)).toMatchObject({ width: 160, height: 90 })
    expect(await posterOf(path, 1000)).toMatchObject({ width: 426, height: 240 })
  })

  it('does not pick a black picture when half of the recording is black', async () => {
    const black = 'color=black:size=320x240:rate=30:duration=5[b];testsrc=size=320x240:rate=30:duration=5[t]'
    const path = await clips.make('half-black.mp4', '-filter_complex', `${black};[b][t]concat`, ...h264)
    const { jpeg, time } = await posterOf(path)
    expect(time).toBeGreaterThanOrEqual(5)
    expect((await decode(jpeg)).mean).toBeGreaterThan(50)
  })

  it('prefers a soft picture to black with a sharp logo', async () => {
    const logo =
      'color=black:size=320x240:rate=30:duration=5,drawgrid=w=4:h=4:c=white,drawbox=x=24:w=300:h=240:c=black:t=fill'
    const soft = 'testsrc=size=320x240:rate=30:duration=5,boxblur=20'
    const path = await clips.make('logo.mp4', '-filter_complex', `${logo}[l];${soft}[s];[l][s]concat`, ...h264)
    const { jpeg, time } = await posterOf(path)
    expect(time).toBeGreaterThanOrEqual(5)
    expect((await decode(jpeg)).mean).toBeGreaterThan(50)
  })

  it('prefers a sharp picture to a blurred one, wherever it is', async () => {
    const blurred = "testsrc=size=320x240:rate=30:duration=10,boxblur=12:enable='lt(t,2)+gt(t,4)'"
    const path = await clips.make('blurred.mp4', ...lavfi(blurred), ...h264)
    expect((await posterOf(path)).time).toBe(3) // the last keyframe before 3.0 s, the second of the five candidates
  })

  it('still makes a poster of a recording that is black throughout', async () => {
    const path = await clips.make('black.mp4', ...lavfi('color=black:size=320x240:rate=30:duration=3'), ...h264)
    const { jpeg } = await posterOf(path)
    expect((await decode(jpeg)).mean).toBeLessThan(20)
  })

  it('decodes a recording with B-frames, and a fragmented one, whose index is spread over it', async () => {
    const coded = ['-c:v', 'libx264', '-preset', 'fast', '-g', '15', '-bf', '3', '-pix_fmt', 'yuv420p']
    const path = await clips.make('b-frames.mp4', ...picture(4), ...coded)
    const { jpeg, time } = await posterOf(path)
    expect((await decode(jpeg)).mean).toBeGreaterThan(50)
    const fragmented = await clips.make(
      'pieces.mp4',
      '-i',
      path,
      '-c',
      'copy',
      '-movflags',
      '+frag_keyframe+empty_moov',
    )
    const other = await posterOf(fragmented)
    expect(other.time).toBeCloseTo(time, 0)
    expect(other.jpeg.equals(jpeg)).toBe(true)
  })

  it('gives the same bytes each time', async () => {
    const path = await clips.make('again.mp4', ...picture(3), ...h264)
    const [one, other] = await Promise.all([posterOf(path), posterOf(path)])
    expect(one.jpeg.equals(other.jpeg)).toBe(true)
  })

  it('reads the index and five keyframes, no more', async () => {
    const noisy = await clips.make('noisy.mp4', ...picture(4, ',noise=alls=60:allf=t'), ...h264)
    const long = await clips.make('long.mp4', '-stream_loop', '19', '-i', noisy, '-c', 'copy')
    const source = countReads(await clips.open(long))
    await makePoster({ ffmpegPath: clips.ffmpegPath, source })
    expect(source.size).toBeGreaterThan(20_000_000)
    expect(source.bytesRead).toBeLessThan(source.size / 30)
  })

  it('is undefined for audio alone', async () => {
    const source = await clips.open(await clips.make('audio.mp4', ...tone(1), ...aac))
    expect(await makePoster({ ffmpegPath: clips.ffmpegPath, source })).toBeUndefined()
  })

  it('refuses video that is not H.264', async () => {
    const path = await clips.make('mpeg4.mp4', ...picture(1), '-c:v', 'mpeg4')
    await expect(posterOf(path)).rejects.toThrow(/needs H.264/)
  })

  it.each([
    ['whose length is nonsense', (unit: Buffer) => unit.fill(0xff, 0, 4)],
    ['that is noise', (unit: Buffer) => unit.fill(0xff, 4)],
  ])('skips a keyframe %s, until none is left', async (_, damage) => {
    const bytes = await readFile(await clips.make('three.mp4', ...picture(3), ...h264))
    const keyframes: Buffer[] = []
    for (let at = bytes.indexOf('mdat') + 4, next = at; at < bytes.lastIndexOf('moov') - 4; at = next) {
      next = at + 4 + bytes.readUInt32BE(at)
      if (((bytes[at + 4] as number) & 0x1f) === 5) keyframes.push(bytes.subarray(at, next))
    }
    expect(keyframes).toHaveLength(3)
    const left = new Set([0, 1, 2])
    const options = { ffmpegPath: clips.ffmpegPath, source: inMemory(bytes) }
    while (left.size > 0) {
      const { time = Number.NaN } = (await makePoster(options)) ?? {}
      expect(left).toContain(time)
      damage(keyframes[time] as Buffer)
      left.delete(time)
    }
    await expect(makePoster(options)).rejects.toThrow(/cannot be decoded (at 0:00|between 0:00 and 0:02) \(.+\)\.$/)
  })

  it.each([1, 3])('refuses %d s of video whose frames are noise', async (seconds) => {
    const path = await clips.make(`noise-${seconds}.mp4`, ...picture(seconds), ...h264)
    const bytes = await readFile(path)
    const end = bytes.lastIndexOf('moov') - 4
    for (let at = bytes.indexOf('mdat') + 4; at < end; ) {
      const next = at + 4 + bytes.readUInt32BE(at)
      bytes.fill(0xff, at + 4, next)
      at = next
    }
    const poster = makePoster({ ffmpegPath: clips.ffmpegPath, source: inMemory(bytes) })
    await expect(poster).rejects.toMatchObject({ name: 'MediaError' })
  })

  it('refuses a text file', async () => {
    const path = join(clips.directory, 'text.mp4')
    await writeFile(path, 'The quick brown fox jumps over the lazy dog.')
    await expect(posterOf(path)).rejects.toThrow(/not an MP4/)
  })

  it('names the keyframe that an index places beyond the end', async () => {
    const path = await clips.make('short.mp4', ...picture(3), ...h264, '-movflags', '+faststart')
    const bytes = await readFile(path)
    const mdat = bytes.lastIndexOf('mdat') - 4
    const shortened = Buffer.from(bytes.subarray(0, mdat + 100))
    shortened.writeUInt32BE(100, mdat)
    const poster = makePoster({ ffmpegPath: clips.ffmpegPath, source: inMemory(shortened) })
    await expect(poster).rejects.toThrow(/keyframe before second 0\.300 is missing/)
  })

  it('refuses a picture larger than 8K', async () => {
    const one = ['-f', 'lavfi', '-i', 'color=white:size=8208x4320:rate=1:duration=1']
    const path = await clips.make('huge.mp4', ...one, ...h264)
    await expect(posterOf(path)).rejects.toMatchObject({ name: 'MediaError' })
  })
})
