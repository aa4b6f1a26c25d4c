/**
 * Returns the environment of an ffmpeg process. It is empty but for where the libraries of a dynamically linked build are: media
 * from outside meet ffmpeg's demuxers and decoders, which must find no credentials (on Lambda those of the function's role).
 */
export function ffmpegEnvironment({ LD_LIBRARY_PATH }: NodeJS.ProcessEnv = process.env): Record<string, string> {
  return LD_LIBRARY_PATH === undefined ? {} : { LD_LIBRARY_PATH }
}
