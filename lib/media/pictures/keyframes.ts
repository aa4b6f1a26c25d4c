import { type EncodedPacket, EncodedPacketSink, type InputVideoTrack } from 'mediabunny'
import { type ByteSource, bufferOf } from '../byte-source.ts'
import { decodingLimits, runFfmpeg } from '../ffmpeg/ffmpeg.ts'
import { FfmpegError, MediaError } from '../media-error.ts'
import { type AvcConfiguration, parseAvcConfiguration, toAnnexB } from '../mp4/annex-b.ts'
import { countBelow, countUntil } from '../mp4/tables/open-table.ts'
import { endOfShown } from '../mp4/tables/shown-durations.ts'
import type { Fragmented, OpenIndex } from '../mp4/tables/with-tables.ts'
import { clockTime, formatTimeRange } from '../time-range.ts'

export interface Keyframe {
  /** Seconds into the recording. */
  readonly time: number
  /** A byte stream that decodes without context. */
  readonly annexB: Buffer
}

/** A size in pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

export type KeyframeTrack = NonNullable<Awaited<ReturnType<typeof openKeyframes>>>

/** Keyframes read ahead of the caller. */
const AHEAD = 4

/** The positions of keyframes, which are numbered from 0; times in seconds. */
interface KeyframeIndex {
  readonly count: number
  readonly end: number
  timeOf(keyframe: number): number
  sizeOf(keyframe: number): number
  /** Returns the last keyframe at or before a time, or else the first. */
  at(time: number): number
  /** Reads a keyframe; undefined when the file ends before it does. */
  dataOf(keyframe: number): Promise<Uint8Array | undefined>
}

/**
 * Opens keyframes of the first H.264 track, if any. The size is that of the picture as shown, before a rotation in the file.
 * @throws {@link MediaError} for another codec, or without configuration
 */
export async function openKeyframes(mp4: OpenIndex | Fragmented, source: ByteSource, purpose: string) {
  const track = await mp4.input.getPrimaryVideoTrack()
  const index = track && (await (mp4.moovPosition === 'fragmented' ? inFragments(track) : inTables(mp4, track, source)))
  if (!track || !index || index.count === 0) return undefined
  const configuration = await readConfiguration(track, purpose)
  const width = await track.getSquarePixelWidth()
  const height = await track.getSquarePixelHeight()
  return {
    width,
    height,
    squarePixels: width === (await track.getCodedWidth()) && height === (await track.getCodedHeight()),
    /** Seconds at which the first keyframe is shown and the last frame ends. */
    start: index.timeOf(0),
    end: index.end,
    /** Lists the time and the size in bytes of every keyframe, from the index alone. */
    async *list() {
      for (let n = 0; n < index.count; n++) yield { time: index.timeOf(n), size: index.sizeOf(n) }
    },
    /** Reads the last keyframe at or before each of these times, in order and a few ahead; repeated if shared. */
    read: (times: readonly number[]) =>
      readAhead(times, async (time) => {
        const keyframe = index.at(time)
        const data = await index.dataOf(keyframe)
        if (!data)
          throw new MediaError(`The file is cut off: the keyframe before second ${time.toFixed(3)} is missing.`)
        return decodable(index.timeOf(keyframe), data, configuration)
      }),
    /** Returns the time of the last keyframe at or before a time. */
    timeAt: async (time: number) => index.timeOf(index.at(time)),
  }
}

function decodable(time: number, data: Uint8Array, configuration: AvcConfiguration): Keyframe {
  try {
    return { time, annexB: toAnnexB(data, configuration) }
  } catch (cause) {
    if (!(cause instanceof MediaError)) throw cause
    throw new MediaError(`The picture cannot be decoded at ${clockTime(time)} (the keyframe is damaged).`, { cause })
  }
}

async function inTables(
  { tableOf }: OpenIndex,
  track: InputVideoTrack,
  source: ByteSource,
): Promise<KeyframeIndex | undefined> {
  const table = await tableOf(track.id)
  if (!table) return undefined
  const { timescale, keys, count } = table
  const times = keys ? table.shownOf(keys) : table.shown(0, count)
  const { sizes, offsets } = await table.placesOfKeys()
  return {
    count: times.length,
    end: endOfShown(table),
    timeOf: (keyframe) => (times[keyframe] as number) / timescale,
    sizeOf: (keyframe) => sizes[keyframe] as number,
    at: (time) => Math.max(0, countUntil(times, time * timescale) - 1),
    async dataOf(keyframe) {
      const start = offsets[keyframe] as number
      const end = start + (sizes[keyframe] as number)
      return end > source.size ? undefined : source.read(start, end)
    },
  }
}

async function inFragments(track: InputVideoTrack): Promise<KeyframeIndex> {
  const sink = new EncodedPacketSink(track)
  const packets: EncodedPacket[] = []
  for (let packet = await sink.getFirstKeyPacket({ metadataOnly: true }); packet; ) {
    packets.push(packet)
    packet = await sink.getNextKeyPacket(packet, { metadataOnly: true })
  }
  const times = packets.map(({ timestamp }) => timestamp)
  return {
    count: packets.length,
    end: await track.computeDuration(),
    timeOf: (keyframe) => times[keyframe] as number,
    sizeOf: (keyframe) => packets[keyframe]?.byteLength ?? 0,
    at: (time) => Math.max(0, countBelow(times, time + ROUNDING) - 1),
    dataOf: async (keyframe) => (await sink.getKeyPacket(times[keyframe] as number))?.data,
  }
}

/** Seconds: less than any frame. */
const ROUNDING = 1e-6

async function* readAhead<In, Out>(items: readonly In[], read: (item: In) => Promise<Out>) {
  const underWay: Promise<Out>[] = []
  for (const item of items) {
    const reading = read(item)
    reading.catch(() => {}) // awaited in its turn
    underWay.push(reading)
    if (underWay.length > AHEAD) yield await (underWay.shift() as Promise<Out>)
  }
  for (const reading of underWay) yield await reading
}

async function readConfiguration(track: InputVideoTrack, purpose: string): Promise<AvcConfiguration> {
  const codec = await track.getCodec()
  if (codec !== 'avc') throw new MediaError(`${purpose} needs H.264 video: this is ${codec ?? 'of an unknown codec'}.`)
  const description = (await track.getDecoderConfig())?.description
  if (!description) throw new MediaError('The video cannot be decoded: the file has no H.264 configuration (avcC).')
  return parseAvcConfiguration(bufferOf(description))
}

/**
 * Feeds keyframes to ffmpeg, one per second of its input, and returns its output.
 * @throws {@link MediaError} that says where the picture cannot be decoded; FfmpegError when ffmpeg did not start or
 *   was killed
 */
export async function decodeKeyframes(
  ffmpegPath: string,
  keyframes: AsyncIterable<Keyframe> | Iterable<Keyframe>,
  output: readonly string[],
): Promise<Buffer> {
  const times: number[] = []
  async function* streams() {
    for await (const { time, annexB } of keyframes) {
      times.push(time)
      yield annexB
    }
  }
  const input = [...decodingLimits(1), '-f', 'h264', '-framerate', '1']
  try {
    return await runFfmpeg(ffmpegPath, [...input, '-i', 'pipe:0', ...output], streams())
  } catch (cause) {
    if (!(cause instanceof FfmpegError) || cause.words === undefined) throw cause
    throw new MediaError(`The picture cannot be decoded ${placeOf(times)} (${cause.words}).`, { cause })
  }
}

/** Formats the place of keyframes (at least one) for messages. */
export function placeOf(times: readonly number[]): string {
  const [start, end] = [times[0] ?? 0, times.at(-1) ?? 0]
  return start === end ? `at ${clockTime(start)}` : formatTimeRange({ start, end })
}
