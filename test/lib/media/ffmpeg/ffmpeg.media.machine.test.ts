import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { runFfmpeg, startFfmpeg } from '../../../../lib/media/ffmpeg/ffmpeg.ts'
import { ffmpegVersion } from '../../../../lib/media/ffmpeg/ffmpeg-build.ts'
import { findFfmpeg } from '../../../../lib/media/ffmpeg/find-ffmpeg.ts'
import { FfmpegConfigError, isOfMedia, MediaError } from '../../../../lib/media/media-error.ts'
import { impostors } from './impostors.ts'

const { directory, impostor } = await impostors()

let ffmpegPath: string
beforeAll(async () => {
  ffmpegPath = await findFfmpeg()
})

const FRAME = 64 * 64 * 1.5
const rawVideo = [
  '-probesize',
  '32',
  '-analyzeduration',
  '0',
  '-f',
  'rawvideo',
  '-pix_fmt',
  'yuv420p',
  '-s',
  '64x64',
  '-r',
  '30',
]
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
describe('startFfmpeg', () => {
  it('rejects with a MediaError that has the reason', async () => {
    const { ended } = startFfmpeg(ffmpegPath, ['-i', join(directory, 'absent.mp4'), '-f', 'null', '-'])
    await expect(ended).rejects.toThrow(/^ffmpeg exited with code \d+: .*No such file/s)
    await expect(ended).rejects.toBeInstanceOf(MediaError)
  })

  it('gives the reason in one line that is the same each time', async () => {
    const { ended } = startFfmpeg(
      await impostor(
        'wordy',
        'printf "[h264 @ 0x1a0901c0] no frame\\n  Last message repeated 2 times\\n  failed\\n" >&2; exit 1',
      ),
      [],
    )
    await expect(ended).rejects.toThrow('ffmpeg exited with code 1: [h264] no frame; failed')
  })

  it('leaves lines of information out of the reason, where lines have levels', async () => {
    const script = 'printf "[info] Stream mapping:\\n[aac @ 0x1a09] [error] bad frame\\n[info] done\\n" >&2; exit 1'
    const { ended } = startFfmpeg(await impostor('levelled', script), [])
    await expect(ended).rejects.toThrow('ffmpeg exited with code 1: [aac] bad frame')
  })

  it('names the signal that killed it', async () => {
    const { child, ended } = startFfmpeg(ffmpegPath, [...rawVideo, '-i', 'pipe:0', '-f', 'null', '-'])
    child.kill('SIGKILL')
    await expect(ended).rejects.toThrow('ffmpeg was killed by SIGKILL.')
  })

  it('gives ffmpeg none of our environment but where its libraries are', async () => {
    vi.stubEnv('AWS_SESSION_TOKEN', 'secret')
    vi.stubEnv('LD_LIBRARY_PATH', '/opt/lib')
    const path = await impostor('environment', 'cat /proc/$$/environ')
    const environment = (await runFfmpeg(path, [])).toString()
    vi.unstubAllEnvs()
    expect(environment).toBe('LD_LIBRARY_PATH=/opt/lib\0')
  })

  it('lets inputs open nothing but a pipe or a file', async () => {
    const path = await impostor('echo', 'echo "$@"')
    const args = (
      await runFfmpeg(path, ['-f', 'mp4', '-i', 'pipe:3', '-ss', '1', '-i', 'file:/a.mp4', '-i', '/b'])
    ).toString()
    expect(args).toMatch(
      /-f mp4 -protocol_whitelist pipe -i pipe:3 -ss 1 -protocol_whitelist file -i file:\/a.mp4 -protocol_whitelist file -i \/b\n$/,
    )
    const list = join(directory, 'list')
    await writeFile(list, 'ffconcat version 1.0\nfile data:,x\n')
    const opening = ['-f', 'concat', '-safe', '0', '-i', `file:${list}`, '-f', 'null', '-']
    const { child, ended } = startFfmpeg(ffmpegPath, opening)
    const complaints = text(child.stderr as NodeJS.ReadableStream)
    await expect(ended).rejects.toBeInstanceOf(MediaError)
    expect(await complaints).toContain("Protocol 'data' not on whitelist 'file'")
  })

  it.each([
    ['an option', ['-no_such_option', '0', '-f', 'lavfi', '-i', 'anullsrc', '-t', '0', '-f', 'null', '-']],
    [
      'an option of the output',
      ['-f', 'lavfi', '-i', 'anullsrc', '-t', '0', '-no_such_option', '0', '-f', 'null', '-'],
    ],
    ['a filter', ['-f', 'lavfi', '-i', 'anullsrc', '-af', 'no_such_filter', '-t', '0', '-f', 'null', '-']],
    [
      'an option of a filter',
      ['-f', 'lavfi', '-i', 'anullsrc', '-af', 'volume=no_such=1', '-t', '0', '-f', 'null', '-'],
    ],
    ['an encoder', ['-f', 'lavfi', '-i', 'anullsrc', '-t', '0', '-c:a', 'no_such_encoder', '-f', 'null', '-']],
    ['an input format', ['-f', 'no_such_format', '-i', 'pipe:0', '-f', 'null', '-']],
    ['an output format', ['-f', 'lavfi', '-i', 'anullsrc', '-t', '0', '-f', 'no_such_format', 'pipe:1']],
  ])('takes %s that ffmpeg does not have for a fault of the configuration', async (_, args) => {
    const failure = await runFfmpeg(ffmpegPath, args).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(FfmpegConfigError)
    expect(isOfMedia(failure)).toBe(false)
    const version = await ffmpegVersion(ffmpegPath)
    expect(failure).toMatchObject({
      name: 'TaskConfigError',
      message: expect.stringContaining(`ffmpeg ${version} at ${ffmpegPath} lacks a needed feature (`),
    })
  })

  it('takes words of the media for no fault of the configuration', async () => {
    const script =
      'printf "[info]     title : Unrecognized option\n[info] more\n[aac @ 0x1a09] [error] bad frame\n" >&2; exit 1'
    const failure = await runFfmpeg(await impostor('titled', script), []).catch((error: unknown) => error)
    expect(isOfMedia(failure)).toBe(true)
  })

  it('rejects when the program is missing, also without a handler', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', note)
    startFfmpeg(join(directory, 'missing'), [])
    const missing = startFfmpeg(join(directory, 'missing'), []).ended
    await expect(missing).rejects.toThrow(/did not start .*ENOENT\): set its path to a build for this machine/)
    await expect(missing).rejects.toBeInstanceOf(FfmpegConfigError)
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })
})

describe('runFfmpeg', () => {
  it('feeds the input and returns the output', async () => {
    const frames = [16, 120, 235].map((level) => Buffer.alloc(FRAME, level))
    const output = await runFfmpeg(
      ffmpegPath,
      [...rawVideo, '-i', 'pipe:0', '-c', 'copy', '-f', 'rawvideo', 'pipe:1'],
      frames,
    )
    expect(output.equals(Buffer.concat(frames))).toBe(true)
  })

  it('takes the input no faster than ffmpeg does', async () => {
    const progress = join(directory, 'progress')
    await writeFile(progress, '')
    const reader = await impostor(
      'reader',
      `for n in 1 2 3 4 5 6 7 8; do head -c 1048576 >/dev/null; echo >> ${progress}; done`,
    )
    const ahead: number[] = []
    async function* megabytes() {
      for (let given = 0; given < 8; given++) {
        ahead.push(given - (await readFile(progress)).length)
        yield Buffer.alloc(1 << 20)
      }
    }
    await runFfmpeg(reader, [], megabytes())
    expect(ahead).toHaveLength(8)
    expect(Math.max(...ahead)).toBeLessThanOrEqual(1) // unread input is in the pipe, less than a megabyte
  })

  it('leaves the rest of the input alone when ffmpeg has seen enough', async () => {
    let closed = false
    async function* endless() {
      try {
        for (;;) yield Buffer.alloc(FRAME, 90)
      } finally {
        closed = true
      }
    }
    const args = [...rawVideo, '-i', 'pipe:0', '-frames:v', '2', '-f', 'rawvideo', 'pipe:1']
    expect(await runFfmpeg(ffmpegPath, args, endless())).toHaveLength(2 * FRAME)
    await expect.poll(() => closed).toBe(true)
  })

  it('does not wait for an input that has nothing more to say once ffmpeg has failed', async () => {
    async function* stalled() {
      yield Buffer.alloc(10)
      await new Promise(() => {})
    }
    await expect(runFfmpeg(ffmpegPath, ['-f', 'no-such-format', '-i', 'pipe:0', 'out'], stalled())).rejects.toThrow(
      /Unknown input format/,
    )
  })

  it('reports why ffmpeg died while it was being fed', async () => {
    async function* endless() {
      for (;;) yield Buffer.alloc(1 << 20)
    }
    const dying = await impostor('dying', 'head -c 100000 >/dev/null; echo out of luck >&2; exit 3')
    await expect(runFfmpeg(dying, [], endless())).rejects.toThrow('ffmpeg exited with code 3: out of luck')
  })

  it('throws what the input throws and leaves no process behind', async () => {
    const pidFile = join(directory, 'pid')
    const patient = await impostor(
      'patient',
      `echo $$ > ${pidFile}.part && mv ${pidFile}.part ${pidFile}; exec sleep 30`,
    )
    const lost = new Error('connection reset')
    let pid = 0
    async function* failing() {
      yield Buffer.alloc(10)
      pid = await readWhenThere(pidFile)
      expect(isAlive(pid)).toBe(true)
      throw lost
    }
    await expect(runFfmpeg(patient, [], failing())).rejects.toBe(lost)
    expect(isAlive(pid)).toBe(false)
  })
})

const readWhenThere = async (path: string) =>
  Number(await vi.waitFor(() => readFile(path, 'utf8'), { timeout: 300_000, interval: 5 }))
