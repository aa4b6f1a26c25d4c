/** Immutable byte sequences by number. Records know their owners. */
export interface Blobs {
  /** Stores everything that `source` yields. If it throws, nothing is stored and the error passes through. */
  write(id: number, source: AsyncIterable<Uint8Array>): Promise<void>
  /**
   * Yields chunks that the caller may keep.
   * @param memory buffer that is overwritten with each chunk, for readers that keep none
   */
  read(id: number, start: number, length: number, memory?: Uint8Array): AsyncGenerator<Uint8Array>
  remove(id: number): void
  /** Removes blobs that are not needed, which a crash left behind. */
  sweep(isNeeded: (id: number) => boolean): void
}
