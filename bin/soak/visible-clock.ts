import { startFfmpeg } from '../../lib/media/ffmpeg/ffmpeg.ts'
import { readFfmpegBuild } from '../../lib/media/ffmpeg/ffmpeg-build.ts'
import { createPicture, type Picture } from '../../local/sandbox/media/composing/picture.ts'
import { findCells, readCellTimecode } from '../../local/sandbox/media/pattern/cells.ts'
import { TIMECODE_ROUND } from '../../local/sandbox/media/pattern/timecode.ts'
import { FRAMES_PER_SECOND } from '../../local/sandbox/media/timebase.ts'

/** What the clock that participants show says of a recording. */
export interface VisibleClock {
  /** How many looks there were, two for each second of the file. */
  readonly looks: number
  /** Looks at which no participant's timecode could be read, or not all the same. */
  readonly unread: number
  /** Where the clock is ahead of the file by more than at the look before: time is missing. Seconds of the file. */
  readonly dropped: readonly number[]
  /** Where it has fallen behind: time is there twice. */
  readonly repeated: readonly number[]
}

const FRAMES_BETWEEN_LOOKS = FRAMES_PER_SECOND / 2

/** Reads the timecodes of a recording; whatever was lost or repeated between two looks is seen at the second. */
export async function readVisibleClock(
  ffmpegPath: string,
  path: string,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<VisibleClock> {
  const codes: (number | undefined)[] = []
  const bytes = new Uint8Array(width * height * 1.5)
  const picture = createPicture(width, height, bytes)
  const looks = `select=not(mod(n\\,${FRAMES_BETWEEN_LOOKS}))`
  const { frameTiming } = await readFfmpegBuild(ffmpegPath)
  const args = [
    '-i',
    path,
    '-map',
    '0:v',
    '-vf',
    looks,
    frameTiming,
    'passthrough',
    '-pix_fmt',
    'yuv420p',
    '-f',
    'rawvideo',
    'pipe:1',
  ]
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
  return judge(codes)
}

/** What all participants show, who show the same. */
function codeOf(picture: Picture): number | undefined {
  const read = [...findCells(picture).values()].map((cell) => readCellTimecode(picture, cell))
  const codes = new Set(read.filter((code) => code !== undefined))
  return codes.size === 1 ? [...codes][0] : undefined
}

/** @param codes the timecode at each look, in frames */
export function judge(codes: readonly (number | undefined)[]): VisibleClock {
  const dropped: number[] = []
  const repeated: number[] = []
  let offset: number | undefined
  for (const [look, code] of codes.entries()) {
    if (code === undefined) continue
    const now = (code - look * FRAMES_BETWEEN_LOOKS + TIMECODE_ROUND) % TIMECODE_ROUND
    const moved = offset === undefined ? 0 : now - offset
    if (moved > 0) dropped.push(look / 2)
    if (moved < 0) repeated.push(look / 2)
    offset = now
  }
  return { looks: codes.length, unread: codes.filter((code) => code === undefined).length, dropped, repeated }
}
