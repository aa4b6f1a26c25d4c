import { readFile } from 'node:fs/promises'
import { runFfmpeg } from '../../lib/media/ffmpeg/ffmpeg.ts'

/** Pictures per second of a publisher. */
export const RATE = 30
/** Bytes of a picture in one packet, at most. */
const MAX_PART = 1_150
const LOOP = 2

/** Encodes two seconds of a moving picture, 1280x720 in VP8 with 1.5 Mbit/s, that begin with their only keyframe. */
export async function encodePictures(ffmpegPath: string, path: string): Promise<void> {
  await runFfmpeg(ffmpegPath, [
    ...['-f', 'lavfi', '-i', `testsrc2=size=1280x720:rate=${RATE}:duration=${LOOP}`],
    ...['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '1500k', '-g', String(RATE * LOOP)],
    ...['-keyint_min', String(RATE * LOOP), '-auto-alt-ref', '0', '-f', 'ivf', path],
  ])
}

/** Reads pictures as the payloads of their packets (RFC 7741). */
export async function readPictures(path: string): Promise<Uint8Array[][]> {
  const file = await readFile(path)
  const pictures: Uint8Array[][] = []
  for (let at = file.readUInt16LE(6); at < file.length; ) {
    const length = file.readUInt32LE(at)
    pictures.push(payloadsOf(file.subarray(at + 12, at + 12 + length)))
    at += 12 + length
  }
  return pictures
}

function payloadsOf(picture: Buffer): Uint8Array[] {
  const count = Math.ceil(picture.length / MAX_PART)
  return Array.from({ length: count }, (_, index) =>
    Buffer.concat([
      Buffer.from([index === 0 ? 0x10 : 0]), // the descriptor: this is the start of a partition, or not
      picture.subarray(index * MAX_PART, (index + 1) * MAX_PART),
    ]),
  )
}
