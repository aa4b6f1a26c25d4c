import { EncodedPacketSink } from 'mediabunny'
import { readAhead } from '../hls/packets/read-ahead.ts'
import type { IndividualArchive, IndividualStream } from '../individual/individual-archive.ts'
import { withWebm } from '../individual/open-webm.ts'
import { createMatroskaWriter, type MatroskaWriter, TICKS_PER_SECOND } from './matroska-writer.ts'
import { MIN_SILENCE, opusHead, SAMPLES_PER_SECOND, samplesIn, silence } from './opus.ts'

/** Samples by which audio may be early or late before it is set right, which is heard: less than a frame of the picture. */
const TOLERANCE = 960
/** Decoders need a moment; what they make of it, before the recording's begin, is left out. In samples. */
export const RUN_UP = 960

/** Bytes fetched at once of each of up to 50 files, and how many of these are kept. */
const WINDOW = { window: 2 ** 20, kept: 3 } as const

/** Voices of which none is there while another is. */
export type Lane = readonly IndividualStream[]

/** Deals voices out to as few lanes as there are voices at once. */
export function dealOut(voices: readonly IndividualStream[]): Lane[] {
  const lanes: IndividualStream[][] = []
  for (const voice of voices) {
    const free = lanes.find((lane) => (lane.at(-1)?.stop ?? 0) <= voice.start)
    if (free) free.push(voice)
    else lanes.push([voice])
  }
  return lanes
}

export interface LaneSpec {
  readonly channels: number
  /** In samples. */
  readonly length: number
}

/**
 * Writes a lane as one stream of Opus without gaps: packets at the samples at which they are heard, silence wherever there are
 * none, so that whoever decodes it has only to count. It begins RUN_UP samples before the recording.
 */
export async function feedLane(
  archive: IndividualArchive,
  lane: Lane,
  { channels, length }: LaneSpec,
  write: (bytes: Buffer) => Promise<void>,
): Promise<void> {
  const track = { type: 'audio', codecId: 'A_OPUS', sampleRate: SAMPLES_PER_SECOND, channels } as const
  const writer = createMatroskaWriter({ ...track, configuration: opusHead(channels) }, write)
  const line = createLine(writer)
  for (const voice of lane) await feedVoice(archive, voice, line)
  await line.fillUntil(length)
  await writer.end()
}

async function feedVoice(archive: IndividualArchive, voice: IndividualStream, line: Line): Promise<void> {
  const ahead = readAhead(archive.open(voice), WINDOW)
  await withWebm({ name: voice.file, source: ahead }, async (input) => {
    const track = await input.getPrimaryAudioTrack()
    if (!track) return
    ahead.begin()
    const end = Math.round(voice.stop * SAMPLES_PER_SECOND)
    let tolerance: number = MIN_SILENCE // the first packet is set right in any case
    for await (const { data, timestamp } of new EncodedPacketSink(track).packets()) {
      const at = Math.round((voice.start + timestamp) * SAMPLES_PER_SECOND)
      if (at >= end) break
      if (await line.place(data, at, tolerance)) tolerance = TOLERANCE
    }
  })
}

interface Line {
  /** Adds a packet where it belongs, give or take so many samples; false when others are already there, and it is left out. */
  place(packet: Uint8Array, at: number, tolerance: number): Promise<boolean>
  fillUntil(at: number): Promise<void>
}

function createLine(writer: MatroskaWriter): Line {
  let position = -RUN_UP
  const add = async (data: Uint8Array, samples: number) => {
    const time = Math.round(((position + RUN_UP) / SAMPLES_PER_SECOND) * TICKS_PER_SECOND)
    await writer.add(data, time, true)
    position += samples
  }
  const fillUntil = async (at: number) => {
    for (const { data, samples } of silence(at - position)) await add(data, samples)
  }
  return {
    fillUntil,
    async place(packet, at, tolerance) {
      const samples = samplesIn(packet)
      if (samples === 0 || position - at > tolerance) return false
      if (at - position >= tolerance) await fillUntil(at + MIN_SILENCE / 2)
      await add(packet, samples)
      return true
    },
  }
}
