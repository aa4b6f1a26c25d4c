/** Thrown when media fail: an encoder does not start or fails, or a file is not what it claims to be. */
export class MediaError extends Error {
  override readonly name = 'MediaError' as 'MediaError' | 'TaskConfigError'
}

/** ffmpeg has failed. */
export class FfmpegError extends MediaError {
  /** What it said last of what it was given; undefined when it did not start or was ended, which is no fault of that. */
  readonly words: string | undefined

  constructor(
    message: string,
    { words, cause }: { readonly words?: string | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? {} : { cause })
    this.words = words
  }
}

/**
 * The ffmpeg that is configured does not fit: it is not there, is built for another machine, or lacks an option, filter or codec.
 * It says nothing about the media, and trying again does not help. Workflows treat it like other errors of configuration.
 */
export class FfmpegConfigError extends FfmpegError {
  override readonly name = 'TaskConfigError'

  constructor(message: string, { cause }: { readonly cause?: unknown } = {}) {
    super(message, { cause })
  }
}

/** Whether something is wrong with the media themselves, so that trying again elsewhere would end the same way. */
export const isOfMedia = (error: unknown): error is MediaError =>
  error instanceof MediaError && !(error instanceof FfmpegError && error.words === undefined)
