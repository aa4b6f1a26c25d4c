/** Anything that goes wrong with media: an encoder that does not start or ends badly, a file that is not what it claims. */
export class MediaError extends Error {
  override readonly name = 'MediaError'
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

/** Whether something is wrong with the media themselves, so that trying again elsewhere would end the same way. */
export const isOfMedia = (error: unknown): error is MediaError =>
  error instanceof MediaError && !(error instanceof FfmpegError && error.words === undefined)
