import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ffmpegVersion, findFfmpeg, MediaError, runFfmpeg, startFfmpeg } from '../../../lib/media/ffmpeg.ts'

let directory: string
let ffmpegPath: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'showrunner-ffmpeg-'))
  ffmpegPath = await findFfmpeg()
})
afterAll(() => rm(directory, { recursive: true }))

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
/** A program in the place of ffmpeg, for behaviour that ffmpeg shows rarely. */
const impostor = async (name: string, script: string) => {
  const path = join(directory, name)
  await writeFile(path, `#!/bin/sh\n${script}\n`)
  await chmod(path, 0o755)
  return path
}

describe('findFfmpeg', () => {
  it('takes what FFMPEG_PATH names', async () => {
    const path = await impostor('named', 'echo ffmpeg version 7')
    expect(await findFfmpeg({ FFMPEG_PATH: path, PATH: '' })).toBe(path)
  })

  it.each(['missing', 'a-directory', 'not-executable'])(
    'refuses an FFMPEG_PATH that is %s, instead of looking further',
    async (name) => {
      await mkdir(join(directory, 'a-directory'), { recursive: true })
      await writeFile(join(directory, 'not-executable'), '', { mode: 0o644 })
      const named = join(directory, name)
      await expect(findFfmpeg({ FFMPEG_PATH: named, PATH: process.env.PATH })).rejects.toThrow(
        `FFMPEG_PATH is ${named}, which is not an executable file: correct it or unset it.`,
      )
    },
  )

  it('refuses an FFMPEG_PATH that names another program', async () => {
    const fails = await impostor('fails', 'exit 3')
    await expect(findFfmpeg({ FFMPEG_PATH: fails })).rejects.toThrow(
      `FFMPEG_PATH is ${fails}, which does not work as ffmpeg (ffmpeg ended with code 3): correct it or unset it.`,
    )
    const other = await impostor('other', 'echo sox version 14')
    await expect(findFfmpeg({ FFMPEG_PATH: other })).rejects.toThrow(`${other}, which is not ffmpeg: correct it`)
  })

  it('takes the first of PATH, passing over a directory of that name', async () => {
    const [first, second] = [join(directory, 'first'), join(directory, 'second')]
    await mkdir(join(first, 'ffmpeg'), { recursive: true })
    await mkdir(second)
    const path = await impostor('second/ffmpeg', 'exit 0')
    expect(await findFfmpeg({ PATH: ['', first, second].join(delimiter) })).toBe(path)
  })

  it('falls back to the bundled build, which runs', async () => {
    const path = await findFfmpeg({})
    expect(path).toContain('node_modules')
    await expect(runFfmpeg(path, ['-version'])).resolves.toSatisfy((output: Buffer) =>
      output.includes('ffmpeg version'),
    )
  })
})

describe('ffmpegVersion', () => {
  it('is the word that ffmpeg says', async () => {
    expect(await ffmpegVersion(await impostor('versioned', 'echo "ffmpeg version 5.1.9-0+deb Copyright"'))).toBe(
      '5.1.9-0+deb',
    )
    expect(await ffmpegVersion(ffmpegPath)).toMatch(/^\S{3,}$/)
    await expect(ffmpegVersion(await impostor('mute', 'exit 0'))).rejects.toThrow('does not say which version')
  })
})

describe('startFfmpeg', () => {
  it('tells in a MediaError why ffmpeg ended', async () => {
    const { ended } = startFfmpeg(ffmpegPath, ['-i', join(directory, 'absent.mp4'), '-f', 'null', '-'])
    await expect(ended).rejects.toThrow(/^ffmpeg ended with code 1: .*No such file/s)
    await expect(ended).rejects.toBeInstanceOf(MediaError)
  })

  it('tells it in one line that is the same each time', async () => {
    const { ended } = startFfmpeg(
      await impostor(
        'wordy',
        'printf "[h264 @ 0x1a0901c0] no frame\\n  Last message repeated 2 times\\n  failed\\n" >&2; exit 1',
      ),
      [],
    )
    await expect(ended).rejects.toThrow('ffmpeg ended with code 1: [h264] no frame; failed')
  })

  it('tells it without what was said besides, where words have levels', async () => {
    const script = 'printf "[info] Stream mapping:\\n[aac @ 0x1a09] [error] bad frame\\n[info] done\\n" >&2; exit 1'
    const { ended } = startFfmpeg(await impostor('levelled', script), [])
    await expect(ended).rejects.toThrow('ffmpeg ended with code 1: [aac] bad frame')
  })

  it('tells which signal ended it', async () => {
    const { child, ended } = startFfmpeg(ffmpegPath, [...rawVideo, '-i', 'pipe:0', '-f', 'null', '-'])
    child.kill('SIGKILL')
    await expect(ended).rejects.toThrow('ffmpeg was ended by SIGKILL.')
  })

  it('rejects when there is no such program, also when nobody looks', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', note)
    startFfmpeg(join(directory, 'missing'), [])
    await expect(startFfmpeg(join(directory, 'missing'), []).ended).rejects.toThrow(/did not start .*ENOENT/)
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
    expect(Math.max(...ahead)).toBeLessThanOrEqual(1) // what is given but not taken lies in the pipe, less than a megabyte
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

  it('tells why ffmpeg died while it was being fed', async () => {
    async function* endless() {
      for (;;) yield Buffer.alloc(1 << 20)
    }
    const dying = await impostor('dying', 'head -c 100000 >/dev/null; echo out of luck >&2; exit 3')
    await expect(runFfmpeg(dying, [], endless())).rejects.toThrow('ffmpeg ended with code 3: out of luck')
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
