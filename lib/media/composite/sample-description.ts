import type { ByteSource } from '../byte-source.ts'
import { MediaError } from '../media-error.ts'

/** The index of a fragmented file describes its tracks and no packet. */
const MAX_FRONT = 64 * 1024
const WAY = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd'] as const

/**
 * How the packets of a fragmented MP4's only track are to be decoded: its `stsd` box, as it stands (ISO/IEC 14496-12, 8.5.2).
 * @throws MediaError when it is not in the front of the file
 */
export async function readSampleDescription(source: ByteSource): Promise<Buffer> {
  const bytes = Buffer.from(await source.read(0, Math.min(MAX_FRONT, source.size)))
  let inside = { start: 0, end: bytes.length }
  let found = inside
  for (const type of WAY) {
    found = findBox(bytes, inside, type)
    inside = { start: found.start + 8, end: found.end }
  }
  return bytes.subarray(found.start, found.end)
}

interface Range {
  readonly start: number
  readonly end: number
}

function findBox(bytes: Buffer, { start, end }: Range, type: string): Range {
  for (let at = start; at + 8 <= end; ) {
    const size = bytes.readUInt32BE(at)
    if (size < 8 || at + size > end) break
    if (bytes.toString('latin1', at + 4, at + 8) === type) return { start: at, end: at + size }
    at += size
  }
  throw new MediaError(`A piece of the composite is damaged: it has no ${type} box at its front.`)
}
