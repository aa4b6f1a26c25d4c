import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { FfmpegConfigError, FfmpegError } from '../media-error.ts'
import { ffmpegEnvironment, ffmpegVersion } from './ffmpeg-build.ts'

/**
 * A running ffmpeg with the pipes of `stdio`. The end of standard error is kept as the reason of a failure. Callers
 * that ask for figures there (`-loglevel level+info`) add their own listener, which receives text.
 */
export interface FfmpegProcess {
  readonly child: ChildProcess
  /** Resolves when ffmpeg exits with code 0; otherwise rejects with an FfmpegError that carries its last complaints. */
  readonly ended: Promise<void>
}

/**
 * Starts ffmpeg without network access: its inputs may open only a pipe or a file, and its environment is empty. It
 * runs in a separate process group, so that Ctrl-C in a terminal does not reach it: callers stop it by closing its
 * input. It exits only once its pipes are closed, so a caller with an output pipe has to read it.
 */
export function startFfmpeg(path: string, args: readonly string[], stdio: StdioOptions = 'pipe'): FfmpegProcess {
  const options = { stdio, detached: true, env: ffmpegEnvironment() }
  const child = spawn(path, [...COMMON, ...args.flatMap(restrictInput)], options)
  let lastWords = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-2000)
  })
  const ended = new Promise<void>((resolve, reject) => {
    child.on('error', (cause: NodeJS.ErrnoException) => {
      const failure = `ffmpeg did not start (${cause.message})`
      if (!MISPLACED.includes(cause.code ?? '')) return reject(new FfmpegError(`${failure}.`, { cause }))
      reject(new FfmpegConfigError(`${failure}: set its path to a build for this machine.`, { cause }))
    })
    child.once('close', (code, signal) => {
      if (code === 0) return resolve()
      const how = signal ? `was killed by ${signal}` : `exited with code ${code}`
      const all = complaints(lastWords)
      const unfit = signal ? undefined : all.find((line) => UNFIT.test(line))
      if (unfit !== undefined) return rejectUnfit(path, unfit, reject)
      const lines = all.slice(-SHOWN_LINES)
      const message = `ffmpeg ${how}${lastWords ? `: ${lines.join('; ')}` : '.'}`
      reject(new FfmpegError(message, signal ? {} : { words: lines.at(-1) ?? '' }))
    })
  })
  ended.catch(() => {}) // callers may await it later, or never
  for (const pipe of child.stdio ?? []) pipe?.on('error', () => {}) // EPIPE: `ended` has the reason
  return { child, ended }
}

/** Refuses a single allocation of more than 256 MiB: 8K video needs less, and a damaged size may claim anything. */
const COMMON = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y', '-max_alloc', String(2 ** 28)]

/** Restricts each input to its own protocol by default: a playlist in place of a recording opens nothing else. */
function restrictInput(argument: string, index: number, all: readonly string[]): readonly string[] {
  if (argument !== '-i' || all[index - 2] === '-protocol_whitelist') return [argument]
  return ['-protocol_whitelist', all[index + 1]?.startsWith('pipe:') ? 'pipe' : 'file', '-i']
}

/** Codes of a missing file, or of one for another kind of machine. */
const MISPLACED: readonly string[] = ['ENOENT', 'EACCES', 'ENOEXEC', 'ENOTDIR']

/** Complaints of a build that lacks an option, filter or codec. */
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
      `ffmpeg ${version} at ${path} lacks a needed feature (${complaint}): use a version that docs/deploy.md names.`,
    ),
  )
}

/** Characters of standard error that are kept: a damaged file causes a complaint for each frame. */
const LAST_WORDS = 2000
const SHOWN_LINES = 3

/**
 * Returns the lines that report trouble, in a form that is equal for equal failures: without the addresses in memory
 * that name ffmpeg’s parts, and without repetition counts, which depend on its threads. With levels (`-loglevel
 * level+info`), lines of information and their indented continuations are dropped.
 */
const complaints = (words: string) =>
  words
    .split('\n')
    .filter((_, index, lines) => index > 0 || lines.length === 1 || words.length < LAST_WORDS) // else it is half a line
    .filter((line) => line.trim() && !line.includes('[info] ') && !(words.includes('[info] ') && /^\s/.test(line)))
    .filter((line) => !/^\s*Last message repeated \d+ times$/.test(line))
    .map((line) => line.replaceAll(/\[(warning|error|fatal)\] | @ 0x[0-9a-f]+/g, '').trim())

/**
 * Runs ffmpeg to its end, feeds `input` to its standard input, and returns its standard output. ffmpeg may stop reading
 * early; the rest of the input is then not read.
 * @throws {@link MediaError} when ffmpeg fails; errors of the input pass through unchanged, once ffmpeg has been killed
 *   and has exited
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
 * Feeds a running ffmpeg and waits until it has exited, while the caller reads its output.
 * @throws {@link MediaError} when ffmpeg fails; errors of the input pass through unchanged, once ffmpeg has been killed
 *   and has exited
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
    if (stdin.closed) done() // the event has already been emitted
  })

/** Pixels of 8K, the largest picture of an H.264 level: a damaged header may claim a gigabyte for each frame. */
const MAX_PIXELS = 8192 * 4320

/** Options of a video input that bound the memory of decoding: by default every processor's thread holds frames. */
export const decodingLimits = (threads: number): string[] => [
  ...['-threads', String(threads), '-max_pixels', String(MAX_PIXELS)],
]
