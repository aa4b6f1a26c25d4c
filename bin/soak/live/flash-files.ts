import { join } from 'node:path'
import { runFfmpeg } from '../../../lib/media/ffmpeg/ffmpeg.ts'

/** Seconds from one flash to the next. */
export const PERIOD = 2
/** Seconds that a flash and its beep last. */
const LENGTH = 0.2
/** Hertz of the beep of each participant, far enough apart to be found in a mix. */
export const TONES = [600, 1_500, 3_000] as const

/** A file of pictures and one of audio, as Chromium plays them in place of a camera and a microphone. */
export interface FlashFiles {
  readonly video: string
  readonly audio: string
}

/** Makes files with a white flash and a beep at the same time, once in each period. Chromium repeats them. */
export async function makeFlashFiles(ffmpegPath: string, directory: string, tone: number): Promise<FlashFiles> {
  const video = join(directory, `flash-${tone}.y4m`)
  const audio = join(directory, `beep-${tone}.wav`)
  const during = `lt(mod(t\\,${PERIOD})\\,${LENGTH})`
  const picture = `color=black:s=320x240:r=30:d=${PERIOD},drawbox=color=white:t=fill:enable='${during}'`
  const sound = `aevalsrc=0.5*sin(${2 * tone}*PI*t)*${during}:s=48000:d=${PERIOD}`
  await runFfmpeg(ffmpegPath, ['-f', 'lavfi', '-i', picture, '-pix_fmt', 'yuv420p', video])
  await runFfmpeg(ffmpegPath, ['-f', 'lavfi', '-i', sound, '-ac', '2', '-c:a', 'pcm_s16le', audio])
  return { video, audio }
}
