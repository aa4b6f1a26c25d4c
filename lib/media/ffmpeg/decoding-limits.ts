/** 8K, the largest picture that H.264 has levels for: a damaged header may claim a gigabyte for each frame. */
const MAX_PIXELS = 8192 * 4320

/**
 * Options of an input of pictures that bound what decoding takes. A decoder makes a thread for each processor by default, and each of
 * them holds frames.
 */
export const decodingLimits = (threads: number): string[] => [
  ...['-threads', String(threads), '-max_pixels', String(MAX_PIXELS)],
]
