import { RtmpError } from './rtmp-error.ts'

/** A message of the RTMP chunk stream (Adobe's specification 1.0, section 5). */
export interface RtmpMessage {
  readonly type: number
  /** Message stream: 0 for the connection, else the number that createStream answered. */
  readonly stream: number
  /** Milliseconds. */
  readonly time: number
  readonly body: Buffer
}

export const messageTypes = {
  setChunkSize: 1,
  abort: 2,
  acknowledgement: 3,
  userControl: 4,
  windowAcknowledgementSize: 5,
  setPeerBandwidth: 6,
  audio: 8,
  video: 9,
  data: 18,
  command: 20,
} as const

/** Chunk size until a side changes it. */
const FIRST_CHUNK_SIZE = 128
/** Marker of a time that does not fit three bytes (after 4.6 h): four more follow, in every chunk of its message. */
const EXTENDED = 0xffffff
/** Maximum bytes of a server's message to a publisher. */
const MAX_MESSAGE_LENGTH = 1_048_576

/** Maximum number of chunk streams, each of which may hold an incomplete message. Servers use two to six. */
const MAX_CHUNK_STREAMS = 32

/** Returns the chunk stream of a message type. Each type has its own, so that types do not block each other. */
const chunkStreamOf = (type: number) => {
  if (type === messageTypes.audio) return 4
  if (type === messageTypes.data) return 5
  if (type === messageTypes.video) return 6
  return type === messageTypes.command ? 3 : 2
}

/** Divides a message into chunks of at most `chunkSize` bytes, the first with the full header. */
export function writeMessage({ type, stream, time, body }: RtmpMessage, chunkSize: number): Buffer[] {
  const chunkStream = chunkStreamOf(type)
  const isExtended = time >= EXTENDED
  const extension = Buffer.alloc(isExtended ? 4 : 0)
  if (isExtended) extension.writeUInt32BE(time % 2 ** 32)
  const head = Buffer.alloc(12)
  head.writeUInt8(chunkStream, 0)
  head.writeUIntBE(isExtended ? EXTENDED : time, 1, 3)
  head.writeUIntBE(body.length, 4, 3)
  head.writeUInt8(type, 7)
  head.writeUInt32LE(stream, 8)
  const pieces = [head, extension, body.subarray(0, chunkSize)]
  for (let at = chunkSize; at < body.length; at += chunkSize)
    pieces.push(Buffer.of(0xc0 | chunkStream), extension, body.subarray(at, at + chunkSize))
  return pieces
}

interface ChunkStream {
  time: number
  delta: number
  isExtended: boolean
  length: number
  type: number
  stream: number
  received: Buffer[]
  missing: number
}

/**
 * Creates a reader that joins the chunks of the other side to messages. It handles changes of the chunk size and aborted
 * messages itself. It throws an {@link RtmpError} for a violation of the protocol.
 */
export function createChunkReader(maxLength = MAX_MESSAGE_LENGTH): (data: Buffer) => RtmpMessage[] {
  const chunkStreams = new Map<number, ChunkStream>()
  let chunkSize = FIRST_CHUNK_SIZE
  let rest: Buffer = Buffer.of()

  /** Reads one chunk at the start of `bytes`. Returns undefined when it is incomplete. */
  function readChunk(bytes: Buffer): { length: number; message?: RtmpMessage } | undefined {
    const format = bytes.readUInt8(0) >> 6
    const basic = readBasicHeader(bytes)
    if (!basic) return undefined
    let at = basic.length + ([11, 7, 3, 0][format] as number)
    if (bytes.length < at) return undefined
    const known = chunkStreams.get(basic.id)
    if (!known && format !== 0) throw new RtmpError('The server sent a chunk that does not continue a message.')
    if (!known && chunkStreams.size >= MAX_CHUNK_STREAMS)
      throw new RtmpError(`The server used more than ${MAX_CHUNK_STREAMS} chunk streams.`)
    const header = readHeader(format, bytes.subarray(basic.length, at), known)
    let extended: number | undefined
    if (header.isExtended) {
      if (bytes.length < at + 4) return undefined
      extended = bytes.readUInt32BE(at)
      at += 4
    }
    const isFirst = header.missing === 0
    if (header.length > maxLength) throw new RtmpError('The server sent a message of more than 1 MB.')
    const size = Math.min(isFirst ? header.length : header.missing, chunkSize)
    if (bytes.length < at + size) return undefined

    if (extended !== undefined && format === 0) header.time = extended
    if (extended !== undefined && (format === 1 || format === 2)) header.delta = extended
    if (isFirst && format !== 0) header.time += header.delta
    header.received.push(Buffer.from(bytes.subarray(at, at + size)))
    header.missing = (isFirst ? header.length : header.missing) - size
    chunkStreams.set(basic.id, header)
    if (header.missing > 0) return { length: at + size }
    const message = {
      type: header.type,
      stream: header.stream,
      time: header.time,
      body: Buffer.concat(header.received),
    }
    header.received = []
    return { length: at + size, message }
  }

  /** Applies a message about the chunks themselves. Returns false for any other message. */
  function applyControl({ type, body }: RtmpMessage): boolean {
    if (type !== messageTypes.setChunkSize && type !== messageTypes.abort) return false
    if (body.length < 4) throw new RtmpError('The server sent an incomplete control message.')
    const value = body.readUInt32BE(0)
    if (type === messageTypes.setChunkSize) {
      if (value < 1 || value > 0x7fffffff) throw new RtmpError('The server set an impossible chunk size.')
      chunkSize = value
    } else {
      const aborted = chunkStreams.get(value)
      if (aborted) Object.assign(aborted, { received: [], missing: 0 })
    }
    return true
  }

  return (data) => {
    rest = rest.length > 0 ? Buffer.concat([rest, data]) : data
    const messages: RtmpMessage[] = []
    while (rest.length > 0) {
      const chunk = readChunk(rest)
      if (!chunk) break
      rest = rest.subarray(chunk.length)
      if (chunk.message && !applyControl(chunk.message)) messages.push(chunk.message)
    }
    return messages
  }
}

function readBasicHeader(bytes: Buffer): { id: number; length: number } | undefined {
  const id = bytes.readUInt8(0) & 0x3f
  if (id >= 2) return { id, length: 1 }
  const length = 2 + id
  if (bytes.length < length) return undefined
  return { id: 64 + (id === 0 ? bytes.readUInt8(1) : bytes.readUInt16LE(1)), length }
}

/** Reads a header; fields that its format leaves out (stream, length and type, time delta) are those of the chunk before. */
function readHeader(format: number, head: Buffer, known: ChunkStream | undefined): ChunkStream {
  const fresh = { time: 0, delta: 0, isExtended: false, length: 0, type: 0, stream: 0, received: [], missing: 0 }
  const header: ChunkStream = { ...(known ?? fresh) }
  if (format === 3) return header
  const time = head.readUIntBE(0, 3)
  header.isExtended = time === EXTENDED
  header.delta = format === 0 ? 0 : time
  if (format === 0) header.time = time
  header.received = []
  header.missing = 0
  if (format === 2) return header
  header.length = head.readUIntBE(3, 3)
  header.type = head.readUInt8(6)
  if (format === 0) header.stream = head.readUInt32LE(7)
  return header
}
