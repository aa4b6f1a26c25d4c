import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ByteSource } from '../../../lib/media/byte-source.ts'
import { inspect } from '../../../lib/media/inspect.ts'
import { aac, h264, inMemory, lavfi, picture, tone, useClips } from './clips.ts'
import { countReads } from './count-reads.ts'

describe('inspect', () => {
  const clips = useClips()
  const inspectFile = async (path: string) => inspect(await clips.open(path))
  let whole: string
  beforeAll(async () => {
    whole = await clips.make('end.mp4', ...picture(4), ...tone(4), ...h264, ...aac)
  })

  it('reports the tracks, exact times and the index at the end', async () => {
    const found = await inspectFile(whole)
    expect(found).toEqual({
      duration: expect.closeTo(4, 1),
      video: { codec: 'h264', width: 320, height: 240, frameRate: 30, duration: 4, keyframes: 4 },
      audio: { codec: 'aac', sampleRate: 48000, channels: 1, duration: expect.closeTo(4, 1) },
      moovPosition: 'end',
    })
    expect(found.duration).toBe(Math.max(4, found.audio?.duration ?? 0))
  })

  it('reports the same of a copy with the index at the front and of a fragmented one', async () => {
    const found = await inspectFile(whole)
    const copy = ['-i', whole, '-c', 'copy', '-movflags']
    const front = await inspectFile(await clips.make('front.mp4', ...copy, '+faststart'))
    expect(front).toMatchObject({ ...found, moovPosition: 'front' })
    const fragmented = await inspectFile(await clips.make('fragmented.mp4', ...copy, '+frag_keyframe+empty_moov'))
    expect(fragmented).toMatchObject({
      moovPosition: 'fragmented',
      video: { ...found.video, duration: expect.closeTo(4, 1) }, // without an edit list, all is 21 ms later
    })
    expect(fragmented.duration).toBeCloseTo(found.duration, 1)
  })

  it('reports audio alone and video alone', async () => {
    const audio = await inspectFile(await clips.make('audio.mp4', ...tone(2), ...aac, '-ac', '2'))
    expect(audio).toMatchObject({ video: null, audio: { codec: 'aac', channels: 2 } })
    expect(audio.duration).toBe(audio.audio?.duration)
    const video = await inspectFile(await clips.make('video.mp4', ...picture(2), ...h264))
    expect(video).toMatchObject({ audio: null, video: { codec: 'h264' }, duration: 2 })
  })

  it.each([
    ['25', '25', 25],
    ['30000/1001', '30000', 30000 / 1001],
    ['30', '1000', 30], // ticks of a millisecond: the frames last 33 and 34 in turn
  ])('finds a rate of %s in ticks of 1/%s s', async (rate, timescale, expected) => {
    const source = lavfi(`testsrc=size=64x64:rate=${rate}:duration=10`)
    const name = `rate-${expected.toFixed(2)}-${timescale}.mp4`
    const path = await clips.make(name, ...source, ...h264, '-video_track_timescale', timescale)
    expect((await inspectFile(path)).video?.frameRate).toBe(expected)
  })

  it('counts frames that are stored in another order than they are shown', async () => {
    const path = await clips.make(
      'b-frames.mp4',
      ...picture(3),
      '-c:v',
      'libx264',
      '-preset',
      'fast',
      '-g',
      '15',
      '-bf',
      '3',
    )
    expect((await inspectFile(path)).video).toMatchObject({ frameRate: 30, duration: 3, keyframes: 6 })
  })

  it('reads the index and two packets of a long file', async () => {
    const noisy = await clips.make('noisy.mp4', ...picture(4, ',noise=alls=60:allf=t'), ...tone(4), ...h264, ...aac)
    const path = await clips.make('long.mp4', '-stream_loop', '19', '-i', noisy, '-c', 'copy')
    const source = countReads(await clips.open(path))
    const found = await inspect(source)
    expect(found.video).toMatchObject({ frameRate: 30, keyframes: 80, duration: expect.closeTo(80, 0) })
    expect(source.size).toBeGreaterThan(20_000_000)
    expect(source.bytesRead).toBeLessThan(source.size / 100)
  })

  it('refuses a file that is cut off, wherever its index is', async () => {
    for (const movflags of ['+faststart', '+frag_keyframe+empty_moov']) {
      const bytes = await readFile(await clips.make('whole.mp4', '-i', whole, '-c', 'copy', '-movflags', movflags))
      await expect(inspect(inMemory(bytes.subarray(0, -5000)))).rejects.toThrow(/cut off/)
    }
    const bytes = await readFile(whole)
    await expect(inspect(inMemory(bytes.subarray(0, -100)))).rejects.toThrow(/cut off: its moov box/)
    await expect(inspect(inMemory(bytes.subarray(0, 3000)))).rejects.toThrow(/cut off: its mdat box/)
  })

  it('refuses an index that places packets beyond the end of a file whose boxes are whole', async () => {
    const bytes = await readFile(await clips.make('short.mp4', '-i', whole, '-c', 'copy', '-movflags', '+faststart'))
    const mdat = bytes.lastIndexOf('mdat') - 4
    const shortened = Buffer.from(bytes.subarray(0, -5000))
    shortened.writeUInt32BE(shortened.length - mdat, mdat)
    await expect(inspect(inMemory(shortened))).rejects.toThrow(/beyond the end of the file/)
  })

  it('refuses an index of noise', async () => {
    const bytes = await readFile(whole)
    const moov = bytes.lastIndexOf('moov') + 4
    await expect(inspect(inMemory(bytes.fill(0xff, moov)))).rejects.toMatchObject({ name: 'MediaError' })
  })

  it('refuses a file without video and audio', async () => {
    const ftyp = Buffer.from('\0\0\0\x10ftypisom\0\0\0\0\0\0\0\x08moov', 'latin1')
    await expect(inspect(inMemory(ftyp))).rejects.toThrow('The MP4 holds no video and no audio.')
  })

  it('passes on what the source rejects with, at whichever read', async () => {
    const bytes = await readFile(whole)
    const lost = Object.assign(new Error('the object has changed'), { name: 'PreconditionFailed' })
    const failingAt = (read: number): ByteSource => {
      let reads = 0
      return {
        size: bytes.length,
        read: async (from, to) => (++reads < read ? bytes.subarray(from, to) : Promise.reject(lost)),
      }
    }
    let read = 1
    for (; ; read++) {
      const outcome = await inspect(failingAt(read)).catch((error: unknown) => error)
      if (outcome !== lost) break
    }
    expect(read).toBeGreaterThan(4) // walk and index: each of them can fail
    await expect(inspect(failingAt(read))).resolves.toMatchObject({ video: { codec: 'h264' } })
  })

  it('blames a source that returns too little, not the file', async () => {
    const bytes = await readFile(whole)
    const source: ByteSource = { size: bytes.length, read: async (start, end) => bytes.subarray(start, end - 1) }
    const failure = await inspect(source).catch((error: Error) => error)
    expect(failure).toMatchObject({ name: 'Error', message: expect.stringMatching(/source returned 15 bytes/) })
  })
})
