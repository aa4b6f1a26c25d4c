/** Thrown when media cannot be processed: a damaged or unsupported file, or a failed encoder. */
export class MediaError extends Error {
  override readonly name = 'MediaError' as 'MediaError' | 'TaskConfigError'
}

/** Thrown when ffmpeg fails. */
export class FfmpegError extends MediaError {
  /** The last complaint of ffmpeg about its input; undefined when it did not start or was killed. */
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
 * Thrown when the configured ffmpeg is unsuitable: missing, built for another machine, or without a needed option,
 * filter or codec. It says nothing about the media, and a retry does not help. Workflows treat it like other
 * configuration errors.
 */
export class FfmpegConfigError extends FfmpegError {
  override readonly name = 'TaskConfigError'

  constructor(message: string, { cause }: { readonly cause?: unknown } = {}) {
    super(message, { cause })
  }
}

/** Returns true for an error caused by the media, which a retry would meet again. */
export const isOfMedia = (error: unknown): error is MediaError =>
  error instanceof MediaError && !(error instanceof FfmpegError && error.words === undefined)
