import type { ByteSource } from '../../byte-source.ts'

/** A byte source of which some is here already. */
export interface PeekableSource extends ByteSource {
  /** What `read` would give, where that needs no waiting; the bytes may change with the next read. */
  peek(start: number, end: number): Uint8Array | undefined
}

/** A byte source that can be told to fetch large windows from now on. */
export interface ReadAheadSource extends PeekableSource {
  /** From here on what is asked for is cut out of windows, each fetched once and the next one ahead of its time. */
  begin(): void
}

export interface ReadAheadOptions {
  /** Bytes fetched at once; default 4 MiB: a ten-minute piece of 2 Mbit/s takes about 40. */
  readonly window?: number
  /** How many windows are kept; default 4: picture and audio of one time may lie a window apart. */
  readonly kept?: number
}

/**
 * Turns the many small reads of somebody who goes through a file from front to back into few large ones. Until `begin` every
 * read passes as it is: whoever reads an index does so in leaps, and wants nothing else.
 */
export function readAhead(
  source: ByteSource,
  { window = 4 * 2 ** 20, kept = 4 }: ReadAheadOptions = {},
): ReadAheadSource {
  const windows = new Map<number, Promise<void>>() // in the order of their last use
  const arrived = new Map<number, Uint8Array>()
  /** Memory of windows that are no longer kept: made anew for each, it would wait for the garbage collector by the dozen. */
  const spare: Uint8Array[] = []
  let begun = false

  const fetchWindow = (index: number) => {
    const memory = spare.pop() ?? new Uint8Array(window)
    const end = Math.min(source.size, (index + 1) * window)
    const fetched = source.read(index * window, end, memory).then((bytes) => {
      if (bytes.buffer !== memory.buffer) memory.set(bytes)
      if (windows.get(index) === fetched) arrived.set(index, memory)
      else spare.push(memory)
    })
    fetched.catch(() => windows.delete(index)) // whoever asks for it hears of it; nobody may
    return fetched
  }
  const windowAt = (index: number) => {
    const fetched = windows.get(index) ?? fetchWindow(index)
    windows.delete(index)
    windows.set(index, fetched)
    return fetched
  }
  const dropOldest = () => {
    for (const index of windows.keys()) {
      if (windows.size <= kept) return
      const memory = arrived.get(index)
      windows.delete(index)
      arrived.delete(index)
      if (memory) spare.push(memory)
    }
  }
  const peek = (start: number, end: number) => {
    const index = Math.floor(start / window)
    const from = start - index * window
    return from + end - start <= window ? arrived.get(index)?.subarray(from, from + end - start) : undefined
  }

  return {
    size: source.size,
    begin() {
      begun = true
    },
    peek,
    async read(start, end) {
      if (!begun || end - start > window) return source.read(start, end)
      const first = Math.floor(start / window)
      const last = Math.floor((end - 1) / window)
      const isSequential = windows.has(first) || windows.has(first - 1)
      const wanted = Array.from({ length: last - first + 1 }, (_, n) => windowAt(first + n))
      if (isSequential && (last + 1) * window < source.size) windowAt(last + 1)
      dropOldest()
      await Promise.all(wanted)
      const bytes = new Uint8Array(end - start)
      for (let index = first; index <= last; index++) {
        const from = Math.max(start, index * window)
        const part = peek(from, Math.min(end, (index + 1) * window))
        if (!part) return source.read(start, end) // others have been read since
        bytes.set(part, from - start)
      }
      return bytes
    },
  }
}
