import { SAMPLES_PER_FRAME, SAMPLES_PER_SECOND } from '../timebase.ts'
import { createOggWriter, opusSamples } from './ogg.ts'
import { startPipeDecoder } from './pipe-decoder.ts'

/** Decodes Opus packets; what is missing between them is silent. */
export interface AudioDecoder {
  readonly isOver: boolean
  /** @param time milliseconds since the epoch, when the packet was captured */
  write(packet: Uint8Array, time: number): void
  /** Fills one frame's samples from a time on; false when they are not decoded. */
  read(time: number, samples: Int16Array): boolean
  kill(): Promise<void>
}

const SAMPLES_PER_MS = SAMPLES_PER_SECOND / 1000
const BLOCK_BYTES = 2 * SAMPLES_PER_FRAME
/** Blocks that may wait: two seconds. */
const MAX_BLOCKS = 60
/** Samples by which the place may differ from the time before samples are skipped: more than rounding can make. */
const TOLERANCE = SAMPLES_PER_MS

/** Starts a decoder with a packet that was captured at `start`. */
export function startAudioDecoder(ffmpegPath: string, start: number): AudioDecoder {
  const decoder = startPipeDecoder(ffmpegPath, ARGUMENTS, BLOCK_BYTES, MAX_BLOCKS)
  const ogg = createOggWriter()
  let place = 0
  let end = 0
  decoder.write(ogg.headers)
  const skip = (count: number) => {
    const available = Math.min(count, SAMPLES_PER_FRAME)
    if (!decoder.has(2 * available)) return false
    decoder.fill(new Uint8Array(2 * available))
    place += available
    return true
  }

  return {
    get isOver() {
      return decoder.isOver
    },
    write(packet, time) {
      const samples = opusSamples(packet)
      end = Math.max(end, Math.round((time - start) * SAMPLES_PER_MS)) + samples
      decoder.write(ogg.page(packet, end))
    },
    read(time, samples) {
      const wanted = Math.round((time - start) * SAMPLES_PER_MS)
      if (wanted < place - TOLERANCE) return false
      while (wanted > place + TOLERANCE && skip(wanted - place)) {}
      if (wanted > place + TOLERANCE || !decoder.has(2 * samples.length)) return false
      decoder.fill(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))
      place += samples.length
      return true
    },
    kill: decoder.kill,
  }
}

/** Fills a gap of one packet with silence. By default, ffmpeg joins samples that are less than 100 ms apart. */
const ARGUMENTS = [
  ...['-filter_threads', '1', '-probesize', '32', '-analyzeduration', '0', '-f', 'ogg', '-i', 'pipe:0'],
  ...['-af', 'aresample=async=1:min_hard_comp=0.015:first_pts=0', '-ar', String(SAMPLES_PER_SECOND), '-ac', '1'],
  ...['-flush_packets', '1', '-f', 's16le', 'pipe:1'],
]
