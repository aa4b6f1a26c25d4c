import type { PublishedTrack } from './published-track.ts'

/** Bytes that are read at once; two windows are in memory. */
const WINDOW = 8 * 2 ** 20

/** Reads a range of an object in windows, the next one while the caller uses the last. */
export async function* readWindows(
  { read }: Pick<PublishedTrack, 'read'>,
  uri: string,
  { start, end }: { readonly start: number; readonly end: number },
): AsyncGenerator<Uint8Array> {
  const next = (offset: number) => {
    if (offset >= end) return undefined
    const reading = read(uri, { offset, size: Math.min(WINDOW, end - offset) })
    reading.catch(() => {}) // awaited in its turn
    return reading
  }
  let coming = next(start)
  for (let offset = start; coming; offset += WINDOW) {
    const window = await coming
    coming = next(offset + WINDOW)
    yield window
  }
}
