import { EncodedPacketSink, type InputVideoTrack } from 'mediabunny'
import { type AvcConfiguration, parseAvcConfiguration, toAnnexB } from './annex-b.ts'
import { runFfmpeg } from './ffmpeg.ts'
import { MediaError } from './media-error.ts'

export interface Keyframe {
  /** Seconds into the recording. */
  readonly time: number
  /** A byte stream that decodes on its own. */
  readonly annexB: Buffer
}

/** In pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** The size is that of the picture as shown, before a rotation that the file may ask for. */
export interface KeyframeTrack extends Size {
  readonly squarePixels: boolean
  /** Seconds at which the first keyframe is shown and the last frame ends. */
  readonly start: number
  readonly end: number
  /** Time and size in bytes of every keyframe, from the index alone. */
  list(): AsyncGenerator<{ time: number; size: number }, void, undefined>
  /**
   * Reads the last keyframe at or before each of these times, in order, a few ahead of whoever takes them. Times may name the
   * same keyframe, which is then read for each.
   */
  read(times: readonly number[]): AsyncGenerator<Keyframe, void, undefined>
  /** When the last keyframe at or before a time is shown. */
  timeAt(time: number): Promise<number>
}

/** Keyframes asked for ahead. mediabunny reads two at a time; the others wait in it, so that neither place is ever empty. */
const AHEAD = 4

/**
 * Gives the keyframes of an H.264 track; undefined when it has none.
 * @throws MediaError for another codec, or without the configuration a decoder needs
 */
export async function openKeyframes(track: InputVideoTrack, purpose: string): Promise<KeyframeTrack | undefined> {
  const sink = new EncodedPacketSink(track)
  const first = await sink.getFirstKeyPacket({ metadataOnly: true })
  if (!first) return undefined
  const configuration = await readConfiguration(track, purpose)
  const start = first.timestamp
  /** What lies before the first keyframe cannot be decoded; its stand-in is that keyframe. */
  const packetAt = (time: number, metadataOnly: boolean) =>
    sink.getKeyPacket(Math.max(time, start), { metadataOnly }).then((packet) => {
      if (packet) return packet
      throw new MediaError(`The file is cut off: the keyframe before second ${time.toFixed(3)} is missing.`)
    })
  const width = await track.getSquarePixelWidth()
  const height = await track.getSquarePixelHeight()
  return {
    width,
    height,
    squarePixels: width === (await track.getCodedWidth()) && height === (await track.getCodedHeight()),
    start,
    end: await track.computeDuration(),
    async *list() {
      for (let packet: typeof first | null = first; packet; ) {
        yield { time: packet.timestamp, size: packet.byteLength }
        packet = await sink.getNextKeyPacket(packet, { metadataOnly: true })
      }
    },
    read: (times) =>
      readAhead(times, async (time) => {
        const { timestamp, data } = await packetAt(time, false)
        return { time: timestamp, annexB: toAnnexB(data, configuration) }
      }),
    timeAt: async (time) => (await packetAt(time, true)).timestamp,
  }
}

async function* readAhead<In, Out>(items: readonly In[], read: (item: In) => Promise<Out>) {
  const underWay: Promise<Out>[] = []
  for (const item of items) {
    const reading = read(item)
    reading.catch(() => {}) // told in its turn
    underWay.push(reading)
    if (underWay.length > AHEAD) yield await (underWay.shift() as Promise<Out>)
  }
  for (const reading of underWay) yield await reading
}

async function readConfiguration(track: InputVideoTrack, purpose: string): Promise<AvcConfiguration> {
  const codec = await track.getCodec()
  if (codec !== 'avc') throw new MediaError(`${purpose} needs H.264 video, this is ${codec ?? 'of an unknown codec'}.`)
  const description = (await track.getDecoderConfig())?.description
  if (!description) throw new MediaError('The video cannot be decoded: the file has no H.264 configuration (avcC).')
  return parseAvcConfiguration(
    ArrayBuffer.isView(description)
      ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength)
      : new Uint8Array(description),
  )
}

/** Feeds keyframes to ffmpeg, one a second as far as it knows, and returns what it makes of them. */
export const decodeKeyframes = (
  ffmpegPath: string,
  keyframes: AsyncIterable<Keyframe> | Iterable<Keyframe>,
  output: readonly string[],
): Promise<Buffer> =>
  runFfmpeg(ffmpegPath, ['-f', 'h264', '-framerate', '1', '-i', 'pipe:0', ...output], streamsOf(keyframes))

async function* streamsOf(keyframes: AsyncIterable<Keyframe> | Iterable<Keyframe>) {
  for await (const { annexB } of keyframes) yield annexB
}
