import { sequenceNumber } from '../hls/fragments.ts'
import { findBox } from '../mp4/boxes.ts'
import { damaged } from './read-segments.ts'

export interface Move {
  /** Ticks by which everything is decoded and shown later; earlier when negative. */
  readonly ticks: number
  /** Ticks per second. */
  readonly timescale: number
}

/** Bytes of a box's size and type; of one above 4 GiB, with its size behind them. */
const HEADER = 8
const LARGE_HEADER = 16

/**
 * Moves fragments, as cutPiece and encodePiece have written them, to another time: only the few bytes that tell when each of
 * them begins are changed, the media pass through as they come. It holds no more than one of the chunks, which may be of
 * any size, and the head of a fragment.
 * @throws MediaError when the bytes are no whole fragments; whatever the chunks reject with, unchanged
 */
export async function* moveFragments(chunks: AsyncIterable<Uint8Array>, move: Move): AsyncGenerator<Uint8Array> {
  /** Of the box that is passing; of a head, all of it is wanted before it is handed on. */
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

/** How much of a box is needed before it can be handed on: all of a moof, of others what tells how long they are. */
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
