import { createFrameAssembler } from '../../local/sandbox/media/live/frame-assembler.ts'
import { ivfFrame, ivfHeader } from '../../local/sandbox/media/live/ivf.ts'
import { startPipeDecoder } from '../../local/sandbox/media/live/pipe-decoder.ts'
import { PAYLOAD_TYPES, type ReadPacket } from './stamped-packets.ts'

const SIZE = { width: 1280, height: 720 }
const PICTURE = (SIZE.width * SIZE.height * 3) / 2
/** Milliseconds between two observations of the decoder. */
const POLL_INTERVAL = 2

/** The decoding of a stream until its first picture. */
export interface FirstPicture {
  push(packet: ReadPacket): void
  /** Resolves when ffmpeg has decoded the first picture. */
  readonly decoded: Promise<void>
  close(): Promise<void>
}

/** Starts a decoder for the VP8 of one subscriber. */
export function untilDecoded(ffmpegPath: string): FirstPicture {
  const decoder = startPipeDecoder(ffmpegPath, ARGUMENTS, PICTURE, 1)
  const assembler = createFrameAssembler('VP8')
  const { promise: decoded, resolve } = Promise.withResolvers<void>()
  let last: number | undefined
  let frames = 0
  decoder.write(ivfHeader('VP8', SIZE))
  const polling = setInterval(() => decoder.has(PICTURE) && resolve(), POLL_INTERVAL)
  return {
    decoded,
    push({ payloadType, sequence, timestamp, marker, payload }) {
      if (payloadType !== PAYLOAD_TYPES.video) return
      if (last !== undefined && sequence !== ((last + 1) & 0xffff)) assembler.reset()
      last = sequence
      const packet = { kind: 'video', sequence, timestamp, marker, payload, at: 0 } as const
      const frame = assembler.push(packet)
      if (frame && (frames > 0 || frame.size)) decoder.write(ivfFrame(frame.data, 33 * frames++))
    },
    close() {
      clearInterval(polling)
      return decoder.kill()
    },
  }
}

const ARGUMENTS = [
  ...['-threads', '1', '-probesize', '32', '-analyzeduration', '0', '-flags', 'low_delay', '-f', 'ivf', '-i', 'pipe:0'],
  ...['-threads', '1', '-pix_fmt', 'yuv420p', '-f', 'rawvideo', 'pipe:1'],
]
