import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runFfmpeg } from '../../lib/media/ffmpeg/ffmpeg.ts'
import { findFfmpeg } from '../../lib/media/ffmpeg/find-ffmpeg.ts'
import { boxesIn } from '../../lib/media/hls/fragment-reader.ts'
import { broadcastArguments } from '../../local/sandbox/media/encoding/broadcast-target.ts'

/** Seconds of a segment. */
const SEGMENT = 2
/** Ticks per second, as ffmpeg chooses them for 30 frames per second. */
const TIMESCALE = 15360

/** Encodes one segment, and repeats it without an end: each part has its own time. */
export async function createSyntheticEncoding(directory: string) {
  const path = join(directory, 'segment.mp4')
  const [, format = '', ...options] = broadcastArguments({
    type: 'broadcast',
    hls: { directory, startTime: 0 },
    flv: false,
  })
  await runFfmpeg(await findFfmpeg(), [
    ...['-f', 'lavfi', '-i', `testsrc2=size=64x36:rate=30:duration=${SEGMENT}`],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '45', '-bf', '0', '-flags', '+global_header'],
    ...['-f', format, ...options.slice(0, -1), path],
  ])
  const file = await readFile(path)
  const boxes = await Array.fromAsync(boxesIn(asStream(file)))
  const header = boxes.filter(({ type }) => type === 'ftyp' || type === 'moov').map(({ bytes }) => bytes)
  const media = boxes.filter(({ type }) => type === 'moof' || type === 'mdat').map(({ bytes }) => bytes)
  const parts = Array.from({ length: media.length / 2 }, (_, index) =>
    Buffer.concat(media.slice(2 * index).slice(0, 2)),
  )
  return {
    header: Buffer.concat(header),
    partsPerSegment: parts.length,
    /** Returns a part with its time. It is valid until the same part of another segment is requested. */
    partOf(segment: number, index: number): Buffer {
      const part = parts[index] as Buffer
      const time = Math.round((segment * SEGMENT + (index * SEGMENT) / parts.length) * TIMESCALE)
      part.writeBigUInt64BE(BigInt(time), part.indexOf('tfdt') + 8)
      return part
    },
  }
}

async function* asStream(bytes: Buffer) {
  yield bytes
}
