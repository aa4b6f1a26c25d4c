/** Master key and salt of one direction (RFC 3711, 8.1). */
export interface SrtpKey {
  /** 16 bytes. */
  readonly key: Buffer
  /** 14 bytes. */
  readonly salt: Buffer
}
