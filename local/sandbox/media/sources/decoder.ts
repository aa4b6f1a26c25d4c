import type { Readable } from 'node:stream'
import { startFfmpeg } from '../../../../lib/media/ffmpeg.ts'
import { FRAMES_PER_SECOND, SAMPLES_PER_FRAME, SAMPLES_PER_SECOND } from '../timebase.ts'
import type { SourceFile } from './source-file.ts'

/** One ffmpeg that decodes one track of a file; it decodes no further ahead than its pipe holds. */
export interface Decoder {
  /** The frame that comes next, counted from the beginning of the file. */
  readonly place: number
  /** Fills `target` with the next frame; false where the file has none any more, or what there is cannot be decoded. */
  fill(target: Uint8Array): Promise<boolean>
  /** Ends it at once; resolves when the process is gone. */
  kill(): Promise<void>
}

export type Track = 'picture' | 'sound'

/**
 * What a seek lands on is exact only from here on: the first picture may be the one after, and the first sound lacks the
 * packet before.
 */
export const RUN_UP_FRAMES = FRAMES_PER_SECOND
/** A decoder that gives nothing for so long (in real time) hangs, and would hold up all outputs. */
const LONGEST_STALL_MS = 10_000

/** Bytes of one frame of a track: a picture in I420, or 16-bit samples. */
export const bytesOf = (track: Track, { width, height }: Pick<SourceFile, 'width' | 'height'>) =>
  track === 'picture' ? width * height * 1.5 : SAMPLES_PER_FRAME * 2

/** Starts decoding a little before a frame, at one that `place` tells. */
export function createDecoder(ffmpegPath: string, file: SourceFile, track: Track, from: number): Decoder {
  let place = Math.max(0, from - RUN_UP_FRAMES)
  const { child, ended } = startFfmpeg(ffmpegPath, decodingArguments(file, track, place), ['ignore', 'pipe', 'pipe'])
  const pipe = child.stdout as Readable
  let rest: Uint8Array | undefined
  let wake = () => {}
  let isOver = false
  const end = () => {
    isOver = true
    wake()
  }
  pipe.on('readable', () => wake()).on('close', end)
  ended.catch(end)

  const kill = async () => {
    child.kill('SIGKILL')
    pipe.destroy() // else it is not over before it has been read
    await ended.catch(() => {})
  }
  const untilReadable = async () => {
    const stall = setTimeout(kill, LONGEST_STALL_MS)
    await new Promise<void>((resolve) => {
      wake = resolve
    })
    clearTimeout(stall)
  }

  return {
    get place() {
      return place
    },
    async fill(target) {
      place++
      for (let filled = 0; filled < target.length; ) {
        const chunk: Uint8Array | undefined = rest ?? pipe.read() ?? undefined
        if (!chunk) {
          if (isOver) return false
          await untilReadable()
          continue
        }
        const part = chunk.subarray(0, target.length - filled)
        target.set(part, filled)
        filled += part.length
        rest = part.length < chunk.length ? chunk.subarray(part.length) : undefined
      }
      return true
    },
    kill,
  }
}

/**
 * The file's own time decides which picture a frame shows: one that lasts is repeated, and where sound is missing there is
 * silence. The format is given, so that a playlist is never taken for a recording and opens nothing else.
 */
function decodingArguments({ path, format, width, height }: SourceFile, track: Track, from: number): string[] {
  const seek = from > 0 ? ['-ss', (from / FRAMES_PER_SECOND).toFixed(6)] : []
  const input = ['-protocol_whitelist', 'file,pipe', '-threads', '1', ...seek, '-f', format, '-i', `file:${path}`]
  if (track === 'picture') {
    const size = `scale=${width}:${height}:out_color_matrix=bt601:out_range=tv`
    const filters = `fps=${FRAMES_PER_SECOND}:start_time=0,${size},format=yuv420p`
    return [...input, '-map', '0:v:0', '-vf', filters, '-f', 'rawvideo', 'pipe:1']
  }
  const rate = ['-ar', String(SAMPLES_PER_SECOND), '-ac', '1']
  return [...input, '-map', '0:a:0', '-af', 'aresample=async=1:first_pts=0', ...rate, '-f', 's16le', 'pipe:1']
}
