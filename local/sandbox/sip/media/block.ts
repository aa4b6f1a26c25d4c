/** Milliseconds of audio in one block: a packet of G.711 or Opus holds as much by default (RFC 3551, 4.2). */
export const BLOCK_MS = 20
/** Samples of a block at 48 kHz, in which all audio of calls is mixed. */
export const SAMPLES_PER_BLOCK = 960
export const SAMPLES_PER_MS = 48
