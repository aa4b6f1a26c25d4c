/** The decoder's view of a stream. */
export interface MatroskaTrack {
  /** `V_VP8`, `A_OPUS` and the like (RFC 9559, 12). */
  readonly codecId: string
  readonly configuration?: Uint8Array | undefined
  readonly format: { readonly width: number; readonly height: number } | { readonly channels: number }
}

/** Nanoseconds in a tick: a tenth of a millisecond. */
const TICK = 100_000
/** Ticks per second of the times of packets. */
export const TICKS_PER_SECOND = 1e9 / TICK
/** Times in a cluster have 16 bits. */
const MAX_CLUSTER_TICKS = 30_000
/** Bytes of packets that are written at once. */
const CLUSTER_BYTES = 64 * 1024

/** Creates a writer of a Matroska file with one track, for a pipe: segment and clusters follow as packets arrive. */
export function createMatroskaWriter(track: MatroskaTrack, write: (bytes: Buffer) => Promise<void>) {
  let head = writeHead(track)
  let cluster: Buffer[] = []
  let size = 0
  let start = 0
  const flush = async () => {
    const bytes = Buffer.concat([head, element('1f43b675', element('e7', uint(start)), ...cluster)])
    head = Buffer.alloc(0)
    cluster = []
    size = 0
    await write(bytes)
  }
  return {
    /** Adds a packet; `time` in ticks, at least 0 and not much before the time of the last packet. */
    async add(data: Uint8Array, time: number, isKey: boolean): Promise<void> {
      if (cluster.length > 0 && (size >= CLUSTER_BYTES || Math.abs(time - start) >= MAX_CLUSTER_TICKS)) await flush()
      if (cluster.length === 0) start = time
      const front = Buffer.from([0x81, 0, 0, isKey ? 0x80 : 0]) // track 1, time, flags
      front.writeInt16BE(time - start, 1)
      const block = element('a3', front, data)
      cluster.push(block)
      size += block.length
    },
    end: flush,
  }
}

/** Writes what precedes the clusters (RFC 9559, 5.1): the header and the track, in a segment of unknown size. */
function writeHead({ codecId, configuration, format }: MatroskaTrack): Buffer {
  const details =
    'width' in format
      ? element('e0', element('b0', uint(format.width)), element('ba', uint(format.height)))
      : element('e1', element('b5', SAMPLING_FREQUENCY), element('9f', uint(format.channels)))
  const entry = [
    ...[element('d7', uint(1)), element('73c5', uint(1)), element('83', uint('width' in format ? 1 : 2))], // number, id, type
    ...[element('86', Buffer.from(codecId)), ...(configuration ? [element('63a2', configuration)] : []), details],
  ]
  return Buffer.concat([
    element('1a45dfa3', element('4282', Buffer.from('matroska')), element('4287', uint(4)), element('4285', uint(2))),
    Buffer.from('18538067ff', 'hex'), // the segment
    element('1549a966', element('2ad7b1', uint(TICK))),
    element('1654ae6b', element('ae', ...entry)),
  ])
}

/** 48 kHz, at which Opus is always decoded, as a number of four bytes. */
const SAMPLING_FREQUENCY = Buffer.from('473b8000', 'hex')

/** Writes an element: its id, its length in eight bytes, its content. */
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
