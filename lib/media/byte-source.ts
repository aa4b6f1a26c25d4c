/** A file of known size that is read by ranges: an object in a bucket, a file on disk. */
export interface ByteSource {
  /** In bytes. */
  readonly size: number
  /**
   * Returns exactly the bytes from `start` up to, not including, `end`; callers keep within 0 and `size`.
   * Rejects when they cannot be had, or when the file is no longer the one whose size was given.
   * @param memory where the bytes may be put, as long as they are or longer; for whoever reads much, and uses it again
   */
  read(start: number, end: number, memory?: Uint8Array): Promise<Uint8Array>
}

/** A byte source that knows what was asked of it so far. */
export interface CountedSource extends ByteSource {
  readonly reads: number
  readonly bytesRead: number
}

/** Wraps a source so that its reads are counted, failed ones included. */
export function countReads(source: ByteSource): CountedSource {
  let reads = 0
  let bytesRead = 0
  return {
    size: source.size,
    get reads() {
      return reads
    },
    get bytesRead() {
      return bytesRead
    },
    read(start, end, memory) {
      reads += 1
      bytesRead += end - start
      return source.read(start, end, memory)
    },
  }
}
