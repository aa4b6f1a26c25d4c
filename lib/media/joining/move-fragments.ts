import { sequenceNumber } from '../hls/fragments.ts'
import { findBox } from '../mp4/boxes.ts'
import { damaged } from './read-segments.ts'

export interface Move {
  /** Ticks by which everything is decoded and shown later; negative for earlier. */
  readonly ticks: number
  /** Ticks per second. */
  readonly timescale: number
}

/** Bytes of a box's header, and of one with a 64-bit size. */
const HEADER = 8
const LARGE_HEADER = 16

/**
 * Moves fragments of cutPiece or encodePiece to another time: changes the few bytes that state when each begins, and
 * passes the media through. Holds one chunk, of any size, and the head of a fragment in memory.
 * @throws {@link MediaError} for incomplete fragments; errors of the chunks pass through unchanged
 */
export async function* moveFragments(chunks: AsyncIterable<Uint8Array>, move: Move): AsyncGenerator<Uint8Array> {
  /** Bytes left of the box that is passing through. A head is collected whole before it is written. */
  let passing = 0
  let head: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    let at = 0
    while (at < chunk.length) {
      if (passing > 0) {
        const media = chunk.subarray(at, at + passing)
        passing -= media.length
        at += media.length
        yield media
        continue
      }
      const wanted = wantedOf(head)
      const more = chunk.subarray(at, at + wanted - head.length)
      head = Buffer.concat([head, more])
      at += more.length
      if (head.length < wanted || wantedOf(head) > head.length) continue
      const size = sizeOf(head)
      if (typeOf(head) === 'moof') moveHead(head.subarray(HEADER), move)
      passing = size - head.length
      yield head
      head = Buffer.alloc(0)
    }
  }
  if (passing > 0 || head.length > 0) throw damaged()
}

const typeOf = (head: Buffer) => head.toString('latin1', 4, HEADER)
const sizeOf = (head: Buffer) =>
  head.readUInt32BE(0) === 1 ? Number(head.readBigUInt64BE(HEADER)) : head.readUInt32BE(0)

/** Returns the bytes needed before a box can be written: a whole `moof`, and of others the header. */
function wantedOf(head: Buffer): number {
  if (head.length < HEADER) return HEADER
  const size = head.readUInt32BE(0)
  const isMoof = typeOf(head) === 'moof'
  if ((!isMoof && typeOf(head) !== 'mdat') || (size !== 1 && size < HEADER)) throw damaged()
  if (isMoof) return size
  return size === 1 ? LARGE_HEADER : HEADER
}

function moveHead(moof: Buffer, { ticks, timescale }: Move): void {
  const [header, decoded] = [findBox(moof, ['mfhd']), findBox(moof, ['traf', 'tfdt'])]
  if (!header || decoded?.[0] !== 1) throw damaged()
  const time = decoded.readBigUInt64BE(4) + BigInt(ticks)
  decoded.writeBigUInt64BE(time, 4)
  header.writeUInt32BE(sequenceNumber(Number(time), timescale), 4)
}
