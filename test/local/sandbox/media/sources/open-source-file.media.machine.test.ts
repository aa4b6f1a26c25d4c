import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runFfmpeg } from '../../../../../lib/media/ffmpeg/ffmpeg.ts'
import { findFfmpeg } from '../../../../../lib/media/ffmpeg/find-ffmpeg.ts'
import { openSourceFile } from '../../../../../local/sandbox/media/sources/open-source-file.ts'

const ffmpegPath = await findFfmpeg()
const PICTURE = ['-f', 'lavfi', '-i', 'testsrc=size=1920x1080:rate=5:duration=1.2']
const SOUND = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=1.5']

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'showrunner-source-'))
})
afterAll(() => rm(directory, { recursive: true }))

async function make(name: string, ...args: readonly string[]) {
  const path = join(directory, name)
  await runFfmpeg(ffmpegPath, [...args, path])
  return path
}
const open = (path: string) => openSourceFile(ffmpegPath, path)

describe('openSourceFile', () => {
  it('returns the tracks, the length and the decoded size of an mp4 or webm', async () => {
    const both = await make('both.mp4', ...PICTURE, ...SOUND, '-preset', 'ultrafast', '-g', '5')
    expect(await open(both)).toEqual({
      ...{ type: 'file', path: both, format: 'mov', frames: 45 },
      ...{ width: 1280, height: 720, hasVideo: true, hasAudio: true, videoCodec: 'H264', audioCodec: 'AAC' },
    })
    const heard = await make('heard.webm', ...SOUND, '-c:a', 'libopus')
    expect(await open(heard)).toMatchObject({
      ...{ format: 'matroska', frames: 45, hasVideo: false, hasAudio: true, audioCodec: 'OPUS' },
    })
  })

  it('refuses files that cannot be sources, with the reason', async () => {
    const text = join(directory, 'text.mp4')
    await writeFile(text, '#EXTM3U\nhttp://127.0.0.1/segment.ts\n')
    const short = await make('short.webm', '-f', 'lavfi', '-i', 'sine=duration=0.5', '-c:a', 'libopus')
    const whole = await make('whole.mp4', '-f', 'lavfi', '-i', 'testsrc=size=64x48:duration=1.2', '-bf', '0')
    const unknown = join(directory, 'unknown.mp4')
    await writeFile(unknown, (await readFile(whole, 'latin1')).replaceAll('avc1', 'zzz1'), 'latin1')
    await expect(open(join(directory, 'none.mp4'))).rejects.toThrow('The file does not exist on the machine')
    await expect(open(directory)).rejects.toThrow('The file does not exist on the machine')
    await expect(open(text)).rejects.toThrow('The file is not a readable mp4 or webm.')
    await expect(open(short)).rejects.toThrow('shorter than a second')
    await expect(open(unknown)).rejects.toThrow('cannot be decoded')
  })
})
