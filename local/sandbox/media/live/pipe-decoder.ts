import type { Readable, Writable } from 'node:stream'
import { startFfmpeg } from '../../../../lib/media/ffmpeg/ffmpeg.ts'
import { createIntake } from '../sources/intake.ts'

/** One ffmpeg that decodes what is written to it, and gives units of equal size: frames, or blocks of samples. */
export interface PipeDecoder {
  /** It has ended, or does not keep up. */
  readonly isOver: boolean
  write(data: Uint8Array): void
  has(bytes: number): boolean
  /** Moves the first bytes into a target, which must be there. */
  fill(target: Uint8Array): void
  /** Ends it at once; resolves when the process is gone. */
  kill(): Promise<void>
}

/** Bytes of encoded media that may wait for ffmpeg. */
const MAX_WAITING = 4 * 1024 * 1024

/**
 * Starts a decoder.
 * @param unit bytes of a unit
 * @param maxUnits units after which ffmpeg has to wait
 */
export function startPipeDecoder(
  ffmpegPath: string,
  args: readonly string[],
  unit: number,
  maxUnits: number,
): PipeDecoder {
  const { child, ended } = startFfmpeg(ffmpegPath, args, ['pipe', 'pipe', 'pipe'])
  const [input, output] = [child.stdin as Writable, child.stdout as Readable]
  let isOver = false
  const end = () => {
    isOver = true
  }
  ended.then(end, end)
  const throttle = () => intake.open(!intake.has(unit * maxUnits))
  const intake = createIntake(output, unit, throttle)
  throttle()

  return {
    get isOver() {
      return isOver || input.writableLength > MAX_WAITING
    },
    write(data) {
      if (!isOver) input.write(data)
    },
    has: intake.has,
    fill(target) {
      intake.fill(target)
      throttle()
    },
    async kill() {
      child.kill('SIGKILL')
      output.destroy() // else it is not over before it has been read
      await ended.catch(() => {})
    },
  }
}
