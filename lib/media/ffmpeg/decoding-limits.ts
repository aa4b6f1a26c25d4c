/** Pixels of 8K, the largest picture of an H.264 level: a damaged header may claim a gigabyte for each frame. */
const MAX_PIXELS = 8192 * 4320

/**
 * Returns options of a video input that bound the resources of decoding. By default a decoder starts a thread for each
 * processor, and each holds frames.
 */
export const decodingLimits = (threads: number): string[] => [
  ...['-threads', String(threads), '-max_pixels', String(MAX_PIXELS)],
]
