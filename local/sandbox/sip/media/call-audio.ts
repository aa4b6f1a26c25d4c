/** Audio of one phone in blocks of 20 ms, at 48 kHz. */
export interface CallLeg {
  /** Returns the next block that the phone has sent; undefined if there is none. Called once each 20 ms, before `send`. */
  take(): Int16Array | undefined
  /** Leaves out blocks that were not taken in time. */
  skip(blocks: number): void
  /** Sends a block to the phone. */
  send(block: Int16Array): void
}

/** The place of a call in the audio of its session. */
export interface CallAudio {
  /** Connects the phone, until the returned function is called. */
  connect(leg: CallLeg): () => void
}
