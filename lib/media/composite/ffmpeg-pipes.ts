import type { Readable, Writable } from 'node:stream'
import { startFfmpeg } from '../ffmpeg/ffmpeg.ts'
import { MediaError } from '../media-error.ts'

export type Write = (bytes: Buffer) => Promise<void>

/** Writes one input of ffmpeg, at the pace at which ffmpeg reads it. */
export type Feed = (write: Write) => Promise<void>

export interface PipedRun {
  readonly feeds: readonly Feed[]
  /** Options of each input. */
  readonly input: readonly string[]
  /** Filters from the inputs, `0` and so on, to the output, which is named `out`. */
  readonly graph: string
  readonly output: readonly string[]
}

/** Output options of a fragmented MP4. ffmpeg holds a fragment of a minute in memory, and each has an index to be read. */
export const FRAGMENTED_MP4: readonly string[] = [
  ...['-movflags', '+empty_moov+default_base_moof', '-frag_duration', '60000000', '-f', 'mp4'],
]

/**
 * Runs an ffmpeg whose inputs are the pipes 3, 4 and so on, and yields its output. All inputs are fed at once, since
 * ffmpeg reads them in any order. Breaking out of the iteration kills ffmpeg.
 * @throws {@link MediaError} when ffmpeg fails; errors of a feed pass through unchanged, once ffmpeg has exited
 */
export async function* runWithPipes(
  ffmpegPath: string,
  { feeds, input, graph, output }: PipedRun,
): AsyncGenerator<Uint8Array, void, undefined> {
  const args = [
    ...feeds.flatMap((_, index) => [...input, '-i', `pipe:${3 + index}`]),
    ...['-filter_complex', graph, '-map', '[out]', '-map_metadata', '-1'],
    ...['-flags', '+bitexact', '-fflags', '+bitexact', ...output, 'pipe:1'],
  ]
  const pipes = feeds.map(() => 'pipe' as const)
  const { child, ended } = startFfmpeg(ffmpegPath, args, ['ignore', 'pipe', 'pipe', ...pipes])
  let reason: { readonly error: unknown } | undefined
  let isOver = false
  const fed = feeds.map(async (feed, index) => {
    const pipe = child.stdio[3 + index] as Writable
    try {
      await feed(async (bytes) => {
        const isTaken = await new Promise<boolean>((resolve) => pipe.write(bytes, (error) => resolve(!error)))
        if (!isTaken) throw PIPE_CLOSED
      })
      pipe.end()
    } catch (error) {
      if (error === PIPE_CLOSED || isOver) return // ffmpeg has what it needs, or reports its own failure
      reason ??= { error }
      child.kill('SIGKILL')
    }
  })
  try {
    yield* child.stdout as Readable
    await ended.catch((error: unknown) => {
      reason ??= { error }
    })
  } finally {
    isOver = true
    child.kill('SIGKILL')
    for (const pipe of child.stdio.slice(3)) pipe?.destroy()
    await Promise.all(fed)
  }
  if (reason) throw reason.error
}

/** A MediaError, so that readers of the file being fed pass it through. */
const PIPE_CLOSED = new MediaError('ffmpeg has closed its input.')
