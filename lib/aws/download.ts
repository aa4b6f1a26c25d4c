import { Readable } from 'node:stream'
import type { Clock } from '../clock.ts'
import { ServiceError } from '../tasks/errors.ts'

export interface DownloadOptions {
  /** Bytes to download. @default the whole file */
  readonly range?: { readonly offset: number; readonly size: number } | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Downloads a file, as long as it arrives. Its URL is a credential and not shown.
 * @throws {@link ServiceError} when that fails or pauses for 10 s, here or while it is read, and when the server ignores the range
 */
export type Download = (url: string, options?: DownloadOptions) => Promise<Readable>

/** Milliseconds without an answer or a byte after which a download is given up. One that progresses has no limit. */
const STALL = 10_000

export function createDownload(fetch: typeof globalThis.fetch, clock: Clock): Download {
  return async (url, { range, signal } = {}) => {
    const headers = range && { range: `bytes=${range.offset}-${range.offset + range.size - 1}` }
    const stalled = new AbortController()
    const arriving = async <T>(wait: () => Promise<T>): Promise<T> => {
      const stall = clock.at(clock.now() + STALL, () => stalled.abort())
      try {
        return await wait()
      } catch (error) {
        const why = stalled.signal.aborted ? 'nothing arrives' : (error as Error).name
        throw new ServiceError(`The platform’s file cannot be fetched (${why}).`)
      } finally {
        stall.cancel()
      }
    }
    const signals = AbortSignal.any([stalled.signal, ...(signal ? [signal] : [])])
    const response = await arriving(() => fetch(url, { ...(headers && { headers }), signal: signals }))
    if (!response.ok || !response.body || (range && response.status !== 206))
      throw new ServiceError(`The platform’s file cannot be fetched (status ${response.status}).`)
    return Readable.from(chunksOf(response.body.getReader(), arriving), { objectMode: false })
  }
}

/** Reads what arrives. Time that passes between two reads is that of the reader. */
async function* chunksOf(
  body: ReadableStreamDefaultReader<Uint8Array>,
  arriving: <T>(wait: () => Promise<T>) => Promise<T>,
): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const { done, value } = await arriving(() => body.read())
      if (done) return
      yield value
    }
  } finally {
    await body.cancel().catch(() => {}) // it may have failed
  }
}
