/** A file of known size that is read by ranges: an object in a bucket, a file on disk. */
export interface ByteSource {
  /** In bytes. */
  readonly size: number
  /**
   * Returns exactly the bytes from `start` up to, not including, `end`; callers stay between 0 and `size`.
   * Rejects when they cannot be read, or when the file is no longer the one of that size. These errors pass through every
   * function of `lib/media` unchanged, so that they can be retried.
   * @param memory buffer of at least that length that may receive the bytes, for callers that reuse their memory
   */
  read(start: number, end: number, memory?: Uint8Array): Promise<Uint8Array>
}

/** Returns a Buffer over the same memory. */
export const bufferOf = (bytes: ArrayBufferLike | ArrayBufferView): Buffer =>
  ArrayBuffer.isView(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) : Buffer.from(bytes)
