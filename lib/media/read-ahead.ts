import type { ByteSource } from './byte-source.ts'

/** A byte source with some bytes in memory. */
export interface PeekableSource extends ByteSource {
  /** Returns the bytes of `read` if they are in memory; they may change with the next read. */
  peek(start: number, end: number): Uint8Array | undefined
}

export interface ReadAheadOptions {
  /** Bytes of a window. A ten-minute piece of 2 Mbit/s takes about 40 windows of the default size. @default 4 MiB */
  readonly window?: number
  /** Number of windows kept: picture and audio of one time may be a window apart. @default 4 */
  readonly kept?: number
  /** Number of windows that are fetched ahead of forward reads; less than `kept`. @default 1 */
  readonly ahead?: number
}

/** Turns many small forward reads into few large ones. Until `begin` every read passes through. */
export function readAhead(source: ByteSource, { window = 4 * 2 ** 20, kept = 4, ahead = 1 }: ReadAheadOptions = {}) {
  const windows = new Map<number, Promise<void>>() // in order of their last use
  const arrived = new Map<number, Uint8Array>()
  /** Memory of dropped windows, for reuse: the garbage collector would free it too late. */
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
    fetched.catch(() => windows.delete(index)) // the reader gets the error, if there is one
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
  /** Returns the bytes of `read` if they are in memory; they may change with the next read. */
  const peek = (start: number, end: number) => {
    const index = Math.floor(start / window)
    const from = start - index * window
    return from + end - start <= window ? arrived.get(index)?.subarray(from, from + end - start) : undefined
  }

  return {
    size: source.size,
    /** Serves reads from windows from now on. Each window is fetched once, and the next one ahead of time. */
    begin() {
      begun = true
    },
    peek,
    async read(start: number, end: number) {
      if (!begun || end - start > window) return source.read(start, end)
      const first = Math.floor(start / window)
      const last = Math.floor((end - 1) / window)
      const isSequential = windows.has(first) || windows.has(first - 1)
      const wanted = Array.from({ length: last - first + 1 }, (_, n) => windowAt(first + n))
      if (isSequential)
        for (let next = last + 1; next <= last + ahead && next * window < source.size; next++) windowAt(next)
      dropOldest()
      await Promise.all(wanted)
      const bytes = new Uint8Array(end - start)
      for (let index = first; index <= last; index++) {
        const from = Math.max(start, index * window)
        const part = peek(from, Math.min(end, (index + 1) * window))
        if (!part) return source.read(start, end) // dropped in the meantime
        bytes.set(part, from - start)
      }
      return bytes
    },
  }
}
