/** What a decoder has to know of a stream before its first packet. */
export type MatroskaTrack =
  | {
      readonly type: 'video'
      readonly codecId: string
      readonly configuration: Uint8Array | undefined
      readonly width: number
      readonly height: number
    }
  | {
      readonly type: 'audio'
      readonly codecId: string
      readonly configuration: Uint8Array | undefined
      readonly sampleRate: number
      readonly channels: number
    }

/** Nanoseconds in a tick: a tenth of a millisecond. */
const TICK = 100_000
export const TICKS_PER_SECOND = 1e9 / TICK
/** Times in a cluster have 16 bits; bytes and packets that are written at once. */
const MAX_CLUSTER_MS = 30_000
const CLUSTER_BYTES = 64 * 1024

/** Says what follows: a Matroska file of one track without an end that would be known (RFC 9559, 5.1). */
function writeMatroskaHead(track: MatroskaTrack): Buffer {
  const { type, codecId, configuration } = track
  const details =
    track.type === 'video'
      ? element('e0', element('b0', uint(track.width)), element('ba', uint(track.height)))
      : element('e1', element('b5', float(track.sampleRate)), element('9f', uint(track.channels)))
  return Buffer.concat([
    element('1a45dfa3', element('4282', Buffer.from('matroska')), element('4287', uint(4)), element('4285', uint(2))),
    Buffer.from('18538067ff', 'hex'), // a segment of unknown size
    element('1549a966', element('2ad7b1', uint(TICK))),
    element(
      '1654ae6b',
      element(
        'ae',
        element('d7', uint(1)),
        element('73c5', uint(1)),
        element('83', uint(type === 'video' ? 1 : 2)),
        element('86', Buffer.from(codecId)),
        ...(configuration ? [element('63a2', configuration)] : []),
        details,
      ),
    ),
  ])
}

export interface MatroskaWriter {
  /** Adds a packet; `time` in ticks, not negative and not much before the last one's. */
  add(data: Uint8Array, time: number, isKey: boolean): Promise<void>
  end(): Promise<void>
}

/** Collects packets into clusters and hands each on as soon as it is full. */
export function createMatroskaWriter(track: MatroskaTrack, write: (bytes: Buffer) => Promise<void>): MatroskaWriter {
  let waiting: Uint8Array[] = [writeMatroskaHead(track)]
  let cluster: Uint8Array[] = []
  let size = 0
  let start = 0
  const close = () => {
    if (cluster.length > 0) waiting.push(element('1f43b675', element('e7', uint(start)), ...cluster))
    cluster = []
    size = 0
  }
  const flush = () => {
    close()
    const bytes = Buffer.concat(waiting)
    waiting = []
    return write(bytes)
  }
  return {
    async add(data, time, isKey) {
      if (cluster.length > 0 && Math.abs(time - start) >= MAX_CLUSTER_MS) close()
      if (cluster.length === 0) start = time
      const head = Buffer.from([0x81, 0, 0, isKey ? 0x80 : 0]) // the track, then the time and flags
      head.writeInt16BE(time - start, 1)
      const block = element('a3', head, data)
      cluster.push(block)
      size += block.length
      if (size >= CLUSTER_BYTES) await flush()
    },
    end: flush,
  }
}

/** An element: its id, its length in eight bytes, which serve every length, and its content. */
function element(id: string, ...content: Uint8Array[]): Buffer {
  const head = Buffer.alloc(id.length / 2 + 8)
  head.write(id, 'hex')
  head.writeBigUInt64BE(BigInt(content.reduce((sum, { length }) => sum + length, 0)), id.length / 2)
  head.writeUInt8(0x01, id.length / 2)
  return Buffer.concat([head, ...content])
}

function uint(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}

function float(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return bytes
}
