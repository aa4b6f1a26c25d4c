import type { Readable, Writable } from 'node:stream'
import type { FfmpegProcess } from '../ffmpeg/ffmpeg.ts'
import { MediaError } from '../media-error.ts'

/** Writes all of one input, at the pace at which it is taken. */
export type Feed = (write: (bytes: Buffer) => Promise<void>) => Promise<void>

/**
 * Feeds an ffmpeg that has an input at each of the pipes 3, 4 and so on, all at once since it takes from them in an order of its
 * own, and yields what it writes to standard output. Whoever stops taking ends it.
 * @throws MediaError when ffmpeg fails; what a feed rejects with, unchanged, once ffmpeg is gone
 */
export async function* runWithPipes(
  { child, ended }: FfmpegProcess,
  feeds: readonly Feed[],
): AsyncGenerator<Uint8Array, void, undefined> {
  let reason: { readonly error: unknown } | undefined
  let isOver = false
  const fed = feeds.map(async (feed, index) => {
    const pipe = child.stdio[3 + index] as Writable
    try {
      await feed(async (bytes) => {
        const isTaken = await new Promise<boolean>((resolve) => pipe.write(bytes, (error) => resolve(!error)))
        if (!isTaken) throw NO_MORE
      })
      pipe.end()
    } catch (error) {
      if (error === NO_MORE || isOver) return // ffmpeg has what it needs, or tells why not
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

/** Passes through what reads a file, since it is not the file's fault. */
const NO_MORE = new MediaError('ffmpeg takes no more.')
