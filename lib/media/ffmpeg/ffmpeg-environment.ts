/**
 * Returns the environment of an ffmpeg process: only the path of libraries for a dynamically linked build. Demuxers and
 * decoders read media from outside and must find no credentials (on Lambda those of the function’s role).
 */
export function ffmpegEnvironment({ LD_LIBRARY_PATH }: NodeJS.ProcessEnv = process.env): Record<string, string> {
  return LD_LIBRARY_PATH === undefined ? {} : { LD_LIBRARY_PATH }
}
