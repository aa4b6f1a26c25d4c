/** Immutable runs of bytes by number; what they belong to is the records' business. */
export interface Blobs {
  /** Keeps everything `source` yields; when it throws, nothing stays and the error passes through. */
  write(id: number, source: AsyncIterable<Uint8Array>): Promise<void>
  /**
   * Yields chunks that the caller may keep.
   * @param memory where they may be put, one over the other, for a caller who keeps none
   */
  read(id: number, start: number, length: number, memory?: Uint8Array): AsyncGenerator<Uint8Array>
  remove(id: number): void
  /** Removes whatever `isNeeded` denies: what a crash left behind. */
  sweep(isNeeded: (id: number) => boolean): void
}
