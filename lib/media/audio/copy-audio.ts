import { EncodedPacketSink, type InputAudioTrack } from 'mediabunny'
import { type ByteSource, bufferOf } from '../byte-source.ts'
import { MediaError } from '../media-error.ts'
import { box, fullBox, text, u32 } from '../mp4/boxes.ts'
import { type AacFacts, aacEntry, writeFront } from '../mp4/movie.ts'
import { createPacketTable, type PacketTable } from '../mp4/packet-table.ts'
import { streamIndex } from '../mp4/stream-mp4.ts'
import type { Fragmented, OpenIndex } from '../mp4/tables/with-tables.ts'
import { readAhead } from '../read-ahead.ts'

/** Bytes of a chunk, about. */
const CHUNK = 2 ** 18
/** Bytes of an AudioSpecificConfig: a few for AAC, a few dozen with all extensions. */
const MAX_CONFIGURATION = 1000

/**
 * Copies the audio of a recording into an audio-only file (.m4a) with its index in front, packet by packet and without
 * re-encoding. Times are those of the recording, also where the audio begins late or has gaps. Equal sources give equal bytes.
 * Yields nothing without audio. Reads the index once for the front of the file, and then the source once, in large blocks: the
 * audio is spread over the file.
 * @throws {@link MediaError} for an incomplete MP4, and for audio that is not AAC
 */
export function copyAudio(source: ByteSource): AsyncGenerator<Uint8Array, void, undefined> {
  const blocks = readAhead(source, { ahead: 2 })
  blocks.begin()
  return streamIndex<Uint8Array>(
    blocks,
    async function* (mp4) {
      const track = await mp4.input.getPrimaryAudioTrack()
      const survey = track && (await surveyTrack(mp4, track, blocks))
      if (!survey) return
      yield writeM4aHead(survey.track)
      yield* inChunks(survey.data())
    },
    { ahead: true },
  )
}

interface Survey {
  readonly track: AacTrack
  /** Yields the packets that the front announces, in their number and sizes. */
  data(): AsyncGenerator<Uint8Array, void, undefined>
}

async function surveyTrack(
  mp4: OpenIndex | Fragmented,
  track: InputAudioTrack,
  source: ByteSource,
): Promise<Survey | undefined> {
  const found = await (mp4.moovPosition === 'fragmented' ? inFragments(track) : inTables(mp4, track, source))
  if (!found) return undefined
  const codec = await track.getCodec()
  if (codec !== 'aac') throw new MediaError(`An audio file needs AAC: this is ${codec ?? 'of an unknown codec'}.`)
  const described = {
    sampleRate: await track.getSampleRate(),
    channels: await track.getNumberOfChannels(),
    configuration: await readConfiguration(track),
    timescale: await track.getTimeResolution(),
  }
  return { track: { ...described, start: found.start, packets: found.packets }, data: found.data }
}

type FoundPackets = Pick<AacTrack, 'start' | 'packets'> & Pick<Survey, 'data'>

/** Measures each packet until the next one, so that a gap in the recording stays one. */
async function inTables(
  { tableOf }: OpenIndex,
  track: InputAudioTrack,
  source: ByteSource,
): Promise<FoundPackets | undefined> {
  const table = await tableOf(track.id)
  if (!table) return undefined
  const { count } = table
  const durations = new Float64Array(count)
  const times = table.shown(0, count, durations)
  const { sizes, offsets } = await table.places(0, count)
  const packets = createPacketTable()
  for (let n = 0; n < count; n++) {
    const lasts = n + 1 < count ? (times[n + 1] as number) - (times[n] as number) : (durations[n] as number)
    packets.add(sizes[n] as number, Math.max(0, lasts))
  }
  async function* data() {
    for (let n = 0; n < count; n++) {
      const start = offsets[n] as number
      const end = start + (sizes[n] as number)
      if (end > source.size) throw cutOff(count, n)
      yield source.read(start, end)
    }
  }
  return { start: times[0] as number, packets, data }
}

async function inFragments(track: InputAudioTrack): Promise<FoundPackets | undefined> {
  const sink = new EncodedPacketSink(track)
  const first = await sink.getFirstPacket({ metadataOnly: true })
  if (!first) return undefined
  const timescale = await track.getTimeResolution()
  const packets = createPacketTable()
  const ticksAt = (seconds: number) => Math.round(seconds * timescale)
  let previous: typeof first | undefined
  for await (const packet of sink.packets(undefined, undefined, { metadataOnly: true })) {
    if (previous) packets.add(previous.byteLength, Math.max(0, ticksAt(packet.timestamp) - ticksAt(previous.timestamp)))
    previous = packet
  }
  if (previous) packets.add(previous.byteLength, ticksAt(previous.duration))
  async function* data() {
    let n = 0
    for await (const { data } of new EncodedPacketSink(track).packets()) {
      if (data.length !== packets.sizes[n]) break
      n += 1
      yield data
    }
    if (n !== packets.count) throw cutOff(packets.count, n)
  }
  return { start: ticksAt(first.timestamp), packets, data }
}

const cutOff = (packets: number, read: number) =>
  new MediaError(`The file is cut off: only ${read} of ${packets} audio packets can be read.`)

async function readConfiguration(track: InputAudioTrack): Promise<Uint8Array> {
  const description = (await track.getDecoderConfig())?.description
  const bytes = bufferOf(description ?? new ArrayBuffer())
  if (bytes.length > 0 && bytes.length <= MAX_CONFIGURATION) return bytes
  throw new MediaError('The audio cannot be decoded: the file has no valid AAC configuration (esds).')
}

async function* inChunks(packets: AsyncIterable<Uint8Array>) {
  let chunk: Uint8Array[] = []
  let length = 0
  for await (const packet of packets) {
    chunk.push(packet)
    length += packet.length
    if (length < CHUNK) continue
    yield Buffer.concat(chunk)
    chunk = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(chunk)
}

interface AacTrack extends AacFacts {
  /** Ticks per second. */
  readonly timescale: number
  /** Ticks at which the first packet is heard; negative for the encoder's priming samples, which players skip. */
  readonly start: number
  readonly packets: PacketTable
}

/** Packets in a chunk: about a second of AAC, so that an index of 12 hours has 40,000 offsets instead of two million. */
const PACKETS_IN_CHUNK = 48

/** Writes the front of an audio-only MP4 (.m4a): type, index and the header of the media. The packets follow in order. */
export function writeM4aHead({ timescale, start, packets, ...facts }: AacTrack): Buffer {
  const wait = start > 0 ? [{ duration: start, mediaTime: -1 }] : []
  return writeFront(box('ftyp', text('M4A \0\0\x02\0M4A mp42isomiso2')), {
    timescale,
    versions: { headers: 1, edits: 1, media: 1 },
    hasLongOffsets: packets.bytes > 2 ** 31, // far below the size at which the index itself would matter
    tracks: [
      {
        type: 'audio',
        flags: 3, // enabled, in the movie
        alternateGroup: 1,
        duration: packets.ticks + start, // from the time 0 on
        edits: [...wait, { duration: packets.ticks + Math.min(0, start), mediaTime: Math.max(0, -start) }],
        timescale,
        handlerName: 'SoundHandler\0',
        description: fullBox('stsd', 0, 0, u32(1), aacEntry(facts, { streamId: 0, lengthBytes: 2 })),
        packets,
        chunks: chunksOf(packets.count),
      },
    ],
  })
}

const chunksOf = (packets: number) =>
  Array.from({ length: Math.ceil(packets / PACKETS_IN_CHUNK) }, (_, chunk) =>
    Math.min(PACKETS_IN_CHUNK, packets - chunk * PACKETS_IN_CHUNK),
  )
