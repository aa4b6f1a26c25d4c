/** Audio of other participants, for the phones of a session. */
export interface Voice {
  /** Returns the next block; undefined while it is silent. Called once each 20 ms. */
  take(): Int16Array | undefined
  /** Leaves out blocks that were not taken in time. */
  skip(blocks: number): void
  close(): void
}
