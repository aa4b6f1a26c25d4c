import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { copyAudio } from '../../../../lib/media/audio/copy-audio.ts'
import { measureAudio } from '../../../../lib/media/audio/measure-audio.ts'
import { runFfmpeg } from '../../../../lib/media/ffmpeg/ffmpeg.ts'
import { inspect } from '../../../../lib/media/inspect.ts'
import { aac, h264, inMemory, lavfi, picture, tone, useClips } from '../clips.ts'
import { countReads } from '../count-reads.ts'

const clips = useClips()
const copyOf = async (path: string) => Buffer.concat(await Array.fromAsync(copyAudio(await clips.open(path))))

/** The checksum of the packets of audio, or of the samples they decode to. */
const checksum = async (path: string, ...codec: string[]) =>
  (await runFfmpeg(clips.ffmpegPath, ['-i', path, '-map', '0:a', ...codec, '-f', 'md5', 'pipe:1'])).toString()

async function measure(path: string) {
  const m4a = await copyOf(path)
  const { audio } = await inspect(inMemory(m4a))
  if (!audio) throw new Error('no audio')
  const { channels, duration } = audio
  return measureAudio({ ffmpegPath: clips.ffmpegPath, m4a: asStream(m4a), channels, duration })
}

async function* asStream(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 10_007) yield bytes.subarray(at, at + 10_007)
}

describe('copyAudio', () => {
  it('copies the packets unchanged into a file with its index in front', async () => {
    const path = await clips.make('both.mp4', ...picture(3), ...tone(3), ...h264, ...aac)
    const copy = join(clips.directory, 'both.m4a')
    await writeFile(copy, await copyOf(path))
    expect(await checksum(copy, '-c', 'copy')).toBe(await checksum(path, '-c', 'copy'))
    expect(await checksum(copy)).toBe(await checksum(path)) // also begins and ends where the audio does
    const [source, found] = await Promise.all([path, copy].map(async (name) => inspect(await clips.open(name))))
    expect(found).toMatchObject({ moovPosition: 'front', video: null, audio: source?.audio })
  })

  it('copies a fragmented file, and the same one byte for byte each time', async () => {
    const path = await clips.make('plain.mp4', ...tone(2), ...aac)
    const pieces = await clips.make('pieces.mp4', '-i', path, '-c', 'copy', '-movflags', '+frag_keyframe+empty_moov')
    const copy = join(clips.directory, 'pieces.m4a')
    await writeFile(copy, await copyOf(pieces))
    expect(await checksum(copy, '-c', 'copy')).toBe(await checksum(path, '-c', 'copy'))
    expect((await copyOf(path)).equals(await copyOf(path))).toBe(true)
  })

  it('keeps the times of audio that begins late', async () => {
    const path = await clips.make('late.mp4', ...picture(2), '-itsoffset', '0.5', ...tone(1), ...h264, ...aac)
    const { audio } = await inspect(inMemory(await copyOf(path)))
    expect(audio?.duration).toBeCloseTo(1.5, 1)
    const { silences: _, waveform } = await measure(path)
    const first = waveform.data.findIndex((value) => Math.abs(value) > 2) / 2 / 100
    expect(first).toBeGreaterThan(0.45)
    expect(first).toBeLessThan(0.55)
  })

  it('reads the file once from end to end, in blocks', async () => {
    const noisy = await clips.make('noisy.mp4', ...picture(2, ',noise=alls=40:allf=t'), ...tone(2), ...h264, ...aac)
    const long = await clips.make('long.mp4', '-stream_loop', '9', '-i', noisy, '-c', 'copy')
    const source = countReads(await clips.open(long))
    await Array.fromAsync(copyAudio(source))
    expect(source.size).toBeGreaterThan(8_000_000)
    expect(source.reads).toBeLessThanOrEqual(2 * Math.ceil(source.size / 4_194_304))
    expect(source.bytesRead).toBeLessThan(source.size * 1.6) // the index is in the last block
  })

  it('yields nothing without audio, and refuses other codecs than AAC', async () => {
    expect(await copyOf(await clips.make('mute.mp4', ...picture(1), ...h264))).toHaveLength(0)
    const mp3 = await clips.make('mp3.mp4', ...tone(1), '-c:a', 'libmp3lame')
    await expect(copyOf(mp3)).rejects.toThrow('An audio file needs AAC: this is mp3.')
  })

  it('passes on what the source fails with', async () => {
    const bytes = await readFile(await clips.make('gone.mp4', ...tone(1), ...aac))
    const gone = new Error('replaced')
    await expect(Array.fromAsync(copyAudio({ size: bytes.length, read: () => Promise.reject(gone) }))).rejects.toBe(
      gone,
    )
  })
})

describe('measureAudio', () => {
  it('measures what EBU R128 says of a tone of known loudness', async () => {
    // 997 Hz in both channels at -23 dBFS (peak) is -23 LUFS (EBU Tech 3341, case 1).
    const path = await clips.make(
      'reference.mp4',
      ...lavfi('aevalsrc=0.0708*sin(2*PI*997*t)|0.0708*sin(2*PI*997*t):s=48000:d=5'),
      ...['-c:a', 'aac', '-b:a', '256k'],
    )
    const { loudness, waveform, silences } = await measure(path)
    expect(loudness?.integrated).toBeCloseTo(-23, 0)
    expect(loudness?.truePeak).toBeCloseTo(-23, 0)
    expect(loudness?.range).toBeLessThan(0.5)
    expect(silences).toEqual([])
    expect(waveform.length).toBeGreaterThanOrEqual(499)
    const middle = waveform.data.slice(200, 800)
    expect(middle.every((value) => Math.abs(value) >= 8 && Math.abs(value) <= 10)).toBe(true) // 0.0708 of 128 is 9
  })

  it('finds silences where they are', async () => {
    const path = await clips.make(
      'pauses.mp4',
      ...lavfi("sine=frequency=440:sample_rate=48000:duration=9,volume='if(between(t,1,4)+gt(t,6.5),0,1)':eval=frame"),
      ...aac,
    )
    const { silences } = await measure(path)
    expect(silences).toEqual([
      { start: expect.closeTo(1, 1), end: expect.closeTo(4, 1) },
      { start: expect.closeTo(6.5, 1), end: expect.closeTo(9, 1) },
    ])
  })

  it('has no loudness for silence', async () => {
    const path = await clips.make('silent.mp4', ...lavfi('anullsrc=r=48000:cl=stereo'), '-t', '3', ...aac)
    const { loudness, silences, waveform } = await measure(path)
    expect(loudness).toBeNull()
    expect(silences).toHaveLength(1)
    expect(new Set(waveform.data)).toEqual(new Set([0]))
  })

  it('refuses what cannot be decoded and what lasts for years', async () => {
    const options = { ffmpegPath: clips.ffmpegPath, channels: 1, duration: 3 }
    const text = measureAudio({ ...options, m4a: asStream(Buffer.from('no audio at all')) })
    await expect(text).rejects.toMatchObject({
      name: 'MediaError',
      message: expect.stringMatching(/^ffmpeg exited with code \d+: (?!.*(info|dBFS))/),
    })
    await expect(measureAudio({ ...options, m4a: asStream(Buffer.alloc(0)), duration: 1e9 })).rejects.toThrow(
      'The audio lasts 277778 h by its timestamps: up to 24 h are published.',
    )
  })

  it('passes on what its input fails with', async () => {
    const lost = new Error('connection reset')
    async function* failing() {
      yield Buffer.alloc(10)
      throw lost
    }
    const measured = measureAudio({ ffmpegPath: clips.ffmpegPath, m4a: failing(), channels: 1, duration: 3 })
    await expect(measured).rejects.toBe(lost)
  })
})
