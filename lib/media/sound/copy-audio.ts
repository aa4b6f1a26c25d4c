import { EncodedPacketSink, type InputAudioTrack } from 'mediabunny'
import type { ByteSource } from '../byte-source.ts'
import { MediaError } from '../media-error.ts'
import { streamMp4 } from '../stream-mp4.ts'
import { readInGulps } from './gulps.ts'
import { type AacTrack, writeM4aHead } from './m4a-head.ts'
import { createPacketTable } from './packet-table.ts'

/** Bytes given on at once, more or less. */
const PIECE = 2 ** 18
/** A few bytes for AAC, a few dozen with all its extensions. */
const LARGEST_CONFIGURATION = 1000

/**
 * Copies the sound of a recording into an audio-only file (.m4a) with its index in front, packet by packet and nothing
 * re-encoded; times are those of the recording, also where it begins late or has gaps. Equal sources give equal bytes. Goes
 * over the index once for the head and then reads the source once, in gulps, since the sound lies in small pieces all over it.
 * Nothing comes when there is no sound.
 * @throws MediaError for a file that is no whole MP4, and for sound that is not AAC; whatever the source rejects with, unchanged
 */
export function copyAudio(source: ByteSource): AsyncGenerator<Uint8Array, void, undefined> {
  return streamMp4<Uint8Array>(
    readInGulps(source),
    async function* ({ input }) {
      const track = await input.getPrimaryAudioTrack()
      const survey = track && (await surveyTrack(track))
      if (!track || !survey) return
      yield writeM4aHead(survey)
      yield* inPieces(packetsOf(track, survey))
    },
    { ahead: true },
  )
}

async function surveyTrack(track: InputAudioTrack): Promise<AacTrack | undefined> {
  const sink = new EncodedPacketSink(track)
  const first = await sink.getFirstPacket({ metadataOnly: true })
  if (!first) return undefined
  const codec = await track.getCodec()
  if (codec !== 'aac') throw new MediaError(`A sound file needs AAC, this is ${codec ?? 'of an unknown codec'}.`)
  const timescale = await track.getTimeResolution()
  const packets = createPacketTable()
  const ticksAt = (seconds: number) => Math.round(seconds * timescale)
  let previous: typeof first | undefined
  for await (const packet of sink.packets(undefined, undefined, { metadataOnly: true })) {
    // A packet lasts until the next one, so that a gap in the recording is one here too.
    if (previous) packets.add(previous.byteLength, Math.max(0, ticksAt(packet.timestamp) - ticksAt(previous.timestamp)))
    previous = packet
  }
  if (previous) packets.add(previous.byteLength, ticksAt(previous.duration))
  return {
    sampleRate: await track.getSampleRate(),
    channels: await track.getNumberOfChannels(),
    configuration: await readConfiguration(track),
    timescale,
    start: ticksAt(first.timestamp),
    packets,
  }
}

async function readConfiguration(track: InputAudioTrack): Promise<Uint8Array> {
  const description = (await track.getDecoderConfig())?.description
  const bytes = ArrayBuffer.isView(description)
    ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength)
    : new Uint8Array(description ?? new ArrayBuffer())
  if (bytes.length > 0 && bytes.length <= LARGEST_CONFIGURATION) return bytes
  throw new MediaError('The sound cannot be decoded: the file has no proper AAC configuration (esds).')
}

/** The packets that the head has announced, no other number or size. */
async function* packetsOf(track: InputAudioTrack, { packets }: AacTrack) {
  let n = 0
  for await (const { data } of new EncodedPacketSink(track).packets()) {
    if (data.length !== packets.sizes[n]) break
    n += 1
    yield data
  }
  if (n !== packets.count) {
    throw new MediaError(`The file is cut off: of ${packets.count} packets of sound only ${n} can be read.`)
  }
}

async function* inPieces(packets: AsyncIterable<Uint8Array>) {
  let piece: Uint8Array[] = []
  let length = 0
  for await (const packet of packets) {
    piece.push(packet)
    length += packet.length
    if (length < PIECE) continue
    yield Buffer.concat(piece)
    piece = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(piece)
}
