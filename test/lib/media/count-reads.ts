import type { ByteSource } from '../../../lib/media/byte-source.ts'

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
