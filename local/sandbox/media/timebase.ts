/**
 * Time base of the engine. Frames are numbered from the Unix epoch, so that every picture and sample has one absolute place
 * that all participants and outputs share. A second is 30 frames of 1600 samples.
 */
export const FRAMES_PER_SECOND = 30
export const SAMPLES_PER_SECOND = 48_000
export const SAMPLES_PER_FRAME = SAMPLES_PER_SECOND / FRAMES_PER_SECOND

/** Returns the first frame that begins at or after `time` (milliseconds since the epoch). */
export const frameAt = (time: number) => Math.ceil((time * FRAMES_PER_SECOND) / 1000)

/** Returns the start of a frame, in milliseconds since the epoch with fractions. */
export const timeOf = (frame: number) => (frame * 1000) / FRAMES_PER_SECOND

/** Returns a frame's place within its second, 0 to 29. */
export const frameOfSecond = (frame: number) => frame % FRAMES_PER_SECOND
