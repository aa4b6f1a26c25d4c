import { encodeAmf } from '../../../local/sandbox/media/rtmp/amf.ts'

interface Piece {
  readonly type: number
  /** Milliseconds. */
  readonly time: number
  readonly body: Buffer
}

/** What publishers put before metadata that a server is to keep. */
const SET_DATA_FRAME = encodeAmf('@setDataFrame')

/** An FLV file of these tags; of metadata that was published, only what is to be kept. */
export function writeFlv(pieces: readonly Piece[]): Buffer {
  const header = Buffer.from([...Buffer.from('FLV'), 1, 5, 0, 0, 0, 9, 0, 0, 0, 0])
  return Buffer.concat([header, ...pieces.flatMap(writeTag)])
}

function writeTag({ type, time, body }: Piece): Buffer[] {
  const isMarked = type === 18 && body.subarray(0, SET_DATA_FRAME.length).equals(SET_DATA_FRAME)
  const content = isMarked ? body.subarray(SET_DATA_FRAME.length) : body
  const head = Buffer.alloc(11)
  head.writeUInt8(type, 0)
  head.writeUIntBE(content.length, 1, 3)
  head.writeUIntBE(time % 2 ** 24, 4, 3)
  head.writeUInt8(Math.floor(time / 2 ** 24), 7)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(11 + content.length)
  return [head, content, length]
}

const picture = (kind: number, rest: readonly number[]) => Buffer.from([kind * 16 + 7, ...rest])

/** Tags as an encoder makes them: metadata and headers first, then whatever a test puts in between. */
export const flvTags = {
  metadata: (): Piece => ({ type: 18, time: 0, body: encodeAmf('onMetaData', { width: 640 }) }),
  pictureHeader: (): Piece => ({ type: 9, time: 0, body: picture(1, [0, 0, 0, 0, 1]) }),
  audioHeader: (): Piece => ({ type: 8, time: 0, body: Buffer.of(0xaf, 0, 0x11, 0x88) }),
  keyFrame: (time: number, bytes = 10): Piece => ({ type: 9, time, body: picture(1, [1, ...Buffer.alloc(bytes)]) }),
  frame: (time: number): Piece => ({ type: 9, time, body: picture(2, [1, 0, 0, 0, 9]) }),
  audio: (time: number): Piece => ({ type: 8, time, body: Buffer.of(0xaf, 1, 5) }),
}
