import { startFfmpeg } from '../../lib/media/ffmpeg/ffmpeg.ts'
import { readFfmpegBuild } from '../../lib/media/ffmpeg/ffmpeg-build.ts'
import { createPicture, type Picture } from '../../local/sandbox/media/composing/picture.ts'
import { findCells, readCellTimecode } from '../../local/sandbox/media/pattern/cells.ts'
import { TIMECODE_ROUND } from '../../local/sandbox/media/pattern/timecode.ts'
import { FRAMES_PER_SECOND } from '../../local/sandbox/media/timebase.ts'

/** A recording as judged by the timecodes that participants show in it. */
export interface VisibleClock {
  /** Number of sampled frames: two per second of the file. */
  readonly samples: number
  /** Samples in which no timecode could be read, or the participants differed. */
  readonly unread: number
  /** Positions, in seconds, at which the clock jumps ahead of the file: time is missing. */
  readonly dropped: readonly number[]
  /** Positions, in seconds, at which the clock falls behind the file: time is repeated. */
  readonly repeated: readonly number[]
}

const FRAMES_PER_SAMPLE = FRAMES_PER_SECOND / 2

/** Reads the timecodes of a recording. Time that is lost or repeated between two samples shows in the second. */
export async function readVisibleClock(
  ffmpegPath: string,
  path: string,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<VisibleClock> {
  const codes: (number | undefined)[] = []
  const bytes = new Uint8Array(width * height * 1.5)
  const picture = createPicture(width, height, bytes)
  const sampled = `select=not(mod(n\\,${FRAMES_PER_SAMPLE}))`
  const { frameTiming } = await readFfmpegBuild(ffmpegPath)
  const input = ['-i', path, '-map', '0:v', '-vf', sampled, frameTiming, 'passthrough']
  const args = [...input, '-pix_fmt', 'yuv420p', '-f', 'rawvideo', 'pipe:1']
  const { child, ended } = startFfmpeg(ffmpegPath, args, ['ignore', 'pipe', 'pipe'])
  let filled = 0
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + bytes.length - filled)
      bytes.set(part, filled)
      at += part.length
      filled += part.length
      if (filled < bytes.length) continue
      codes.push(codeOf(picture))
      filled = 0
    }
  }
  await ended
  return judgeTimecodes(codes)
}

/** Returns the timecode that all participants show, or undefined if they differ. */
function codeOf(picture: Picture): number | undefined {
  const read = [...findCells(picture).values()].map((cell) => readCellTimecode(picture, cell))
  const codes = new Set(read.filter((code) => code !== undefined))
  return codes.size === 1 ? [...codes][0] : undefined
}

/**
 * Finds lost and repeated time in sampled timecodes.
 * @param codes the timecode of each sample, in frames
 */
export function judgeTimecodes(codes: readonly (number | undefined)[]): VisibleClock {
  const dropped: number[] = []
  const repeated: number[] = []
  let offset: number | undefined
  for (const [sample, code] of codes.entries()) {
    if (code === undefined) continue
    const now = (code - sample * FRAMES_PER_SAMPLE + TIMECODE_ROUND) % TIMECODE_ROUND
    const moved = offset === undefined ? 0 : now - offset
    if (moved > 0) dropped.push(sample / 2)
    if (moved < 0) repeated.push(sample / 2)
    offset = now
  }
  return { samples: codes.length, unread: codes.filter((code) => code === undefined).length, dropped, repeated }
}
