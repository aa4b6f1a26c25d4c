/** Codec of a call in both directions. Its audio is 16 bit, 48 kHz, mono. */
export interface Codec {
  /** Samples per second by which the RTP timestamp counts. */
  readonly clockRate: number
  /** Encodes a block of 20 ms. */
  encode(block: Int16Array): Uint8Array
  /** Decodes a payload of any length. @throws Error for a payload that cannot be decoded */
  decode(payload: Uint8Array): Int16Array
  /** Replaces lost audio. @param count samples at 48 kHz, a multiple of 120 */
  conceal(count: number): Int16Array
  close(): void
}
