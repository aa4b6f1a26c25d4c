import type { ByteSource } from '../byte-source.ts'

/** A byte source of which some is here already. */
export interface PeekableSource extends ByteSource {
  /** What `read` would give, where that needs no waiting. */
  peek(start: number, end: number): Uint8Array | undefined
}

/** A byte source that can be told to fetch large windows from now on. */
export interface ReadAheadSource extends PeekableSource {
  /** From here on what is asked for is cut out of windows, each fetched once and the next one ahead of its time. */
  begin(): void
}

export interface ReadAheadOptions {
  /** Bytes fetched at once; default 2 MiB: a ten-minute piece of 2 Mbit/s takes about 80. */
  readonly window?: number
  /** How many windows are kept; default 6: picture and sound of one time may lie a few windows apart. */
  readonly kept?: number
}

/**
 * Turns the many small reads of somebody who goes through a file from front to back into few large ones. Until `begin` every
 * read passes as it is: whoever reads an index does so in leaps, and wants nothing else.
 */
export function readAhead(
  source: ByteSource,
  { window = 2 * 2 ** 20, kept = 6 }: ReadAheadOptions = {},
): ReadAheadSource {
  const windows = new Map<number, Promise<Uint8Array>>() // in the order of their last use
  const arrived = new Map<number, Uint8Array>()
  let begun = false

  const fetchWindow = (index: number) => {
    const bytes = source.read(index * window, Math.min(source.size, (index + 1) * window))
    bytes.then(
      (here) => windows.get(index) === bytes && arrived.set(index, here),
      () => windows.delete(index), // whoever asks for it hears of it; nobody may
    )
    return bytes
  }
  const windowAt = (index: number) => {
    const bytes = windows.get(index) ?? fetchWindow(index)
    windows.delete(index)
    windows.set(index, bytes)
    return bytes
  }
  const dropOldest = () => {
    for (const index of windows.keys()) {
      if (windows.size <= kept) return
      windows.delete(index)
      arrived.delete(index)
    }
  }

  return {
    size: source.size,
    begin() {
      begun = true
    },
    peek(start, end) {
      const index = Math.floor(start / window)
      const from = start - index * window
      return from + end - start <= window ? arrived.get(index)?.subarray(from, from + end - start) : undefined
    },
    async read(start, end) {
      if (!begun || end - start > window) return source.read(start, end)
      const first = Math.floor(start / window)
      const last = Math.floor((end - 1) / window)
      const isSequential = windows.has(first) || windows.has(first - 1)
      const parts = Array.from({ length: last - first + 1 }, (_, n) => windowAt(first + n))
      if (isSequential && (last + 1) * window < source.size) windowAt(last + 1)
      dropOldest()
      const bytes = await Promise.all(parts)
      const whole = bytes.length === 1 ? (bytes[0] as Uint8Array) : Buffer.concat(bytes)
      return whole.subarray(start - first * window, end - first * window)
    },
  }
}
