import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { FfmpegConfigError, FfmpegError } from '../media-error.ts'
import { ffmpegVersion } from './ffmpeg-build.ts'
import { ffmpegEnvironment } from './ffmpeg-environment.ts'

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
 * Starts ffmpeg with pipes and files only: it never gets a network address, its inputs may open nothing but a pipe or a file, and
 * its environment is empty. It runs in a process group of its own, so that Ctrl-C in a terminal reaches us and not it: we end it by
 * closing its input. It ends only once its pipes are closed: whoever asks for an output pipe reads it.
 */
export function startFfmpeg(path: string, args: readonly string[], stdio: StdioOptions = 'pipe'): FfmpegProcess {
  const child = spawn(path, [...COMMON, ...args.flatMap(restrictInput)], {
    ...{ stdio, detached: true, env: ffmpegEnvironment() },
  })
  let lastWords = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-2000)
  })
  const ended = new Promise<void>((resolve, reject) => {
    child.on('error', (cause: NodeJS.ErrnoException) => {
      const failure = `ffmpeg did not start (${cause.message})`
      if (!MISPLACED.includes(cause.code ?? '')) return reject(new FfmpegError(`${failure}.`, { cause }))
      reject(new FfmpegConfigError(`${failure}: its path has to be that of a build for this machine.`, { cause }))
    })
    child.once('close', (code, signal) => {
      if (code === 0) return resolve()
      const how = signal ? `was ended by ${signal}` : `ended with code ${code}`
      const all = complaints(lastWords)
      const unfit = signal ? undefined : all.find((line) => UNFIT.test(line))
      if (unfit !== undefined) return rejectUnfit(path, unfit, reject)
      const lines = all.slice(-TOLD_LINES)
      const message = `ffmpeg ${how}${lastWords ? `: ${lines.join('; ')}` : '.'}`
      reject(new FfmpegError(message, signal ? {} : { words: lines.at(-1) ?? '' }))
    })
  })
  ended.catch(() => {}) // whoever started it may look later, or never
  for (const pipe of child.stdio ?? []) pipe?.on('error', () => {}) // EPIPE: `ended` tells why
  return { child, ended }
}

/** One allocation of more than 256 MiB is refused: 8K video needs less, and a damaged size may claim anything. */
const COMMON = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y', '-max_alloc', String(2 ** 28)]

/**
 * Puts in front of each input what it may open, unless that is said: so a playlist that is taken for a recording leads nowhere.
 */
function restrictInput(argument: string, index: number, all: readonly string[]): readonly string[] {
  if (argument !== '-i' || all[index - 2] === '-protocol_whitelist') return [argument]
  return ['-protocol_whitelist', all[index + 1]?.startsWith('pipe:') ? 'pipe' : 'file', '-i']
}

/** There is no such file, or one for another kind of machine. */
const MISPLACED: readonly string[] = ['ENOENT', 'EACCES', 'ENOEXEC', 'ENOTDIR']

/** What a build of ffmpeg complains about when it lacks something that it is asked for, whatever the media. */
const UNFIT = new RegExp(
  [
    "Unrecognized option|[Oo]ption (?:'[^']*' )?not found|No such filter|error while loading shared libraries",
    "Unknown (?:encoder|decoder|input format|output format)|Requested output format '[^']*' is not",
    '(?:Encoder|Filter|Muxer|Demuxer|Bitstream filter|Protocol) not found',
    'Decoder \\(codec (?!none|unknown)\\w+\\) not found|no decoder found for: (?!none|unknown)',
  ].join('|'),
)

async function rejectUnfit(path: string, complaint: string, reject: (error: Error) => void): Promise<void> {
  const version = await ffmpegVersion(path).catch(() => 'of an unknown version')
  reject(
    new FfmpegConfigError(
      `ffmpeg ${version} at ${path} lacks what Showrunner needs (${complaint}): use a version that docs/deploy.md names.`,
    ),
  )
}

/** Characters of standard error that are kept, and lines of it that are told: a damaged file gives a complaint for each frame. */
const LAST_WORDS = 2000
const TOLD_LINES = 3

/**
 * The lines without the addresses in memory that ffmpeg names its parts by and without how often it said the same, which
 * depends on its threads, so that equal failures read equal; and where its words are told apart by their level
 * (`-loglevel level+info`), without those that report no trouble, whose further lines are indented.
 */
const complaints = (words: string) =>
  words
    .split('\n')
    .filter((_, index, lines) => index > 0 || lines.length === 1 || words.length < LAST_WORDS) // else it is half a line
    .filter((line) => line.trim() && !line.includes('[info] ') && !(words.includes('[info] ') && /^\s/.test(line)))
    .filter((line) => !/^\s*Last message repeated \d+ times$/.test(line))
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
