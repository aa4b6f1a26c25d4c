import { EncodedPacketSink } from 'mediabunny'
import type { IndividualArchive, IndividualStream } from '../individual/individual-archive.ts'
import { withWebm } from '../individual/open-webm.ts'
import { readAhead } from '../read-ahead.ts'
import type { Feed, Write } from './ffmpeg-pipes.ts'
import { createMatroskaWriter, TICKS_PER_SECOND } from './matroska-writer.ts'
import { MIN_SILENCE, opusHead, SAMPLES_PER_SECOND, samplesIn, silence } from './opus.ts'

/** Samples by which audio may drift before it is corrected audibly: less than a frame of the picture. */
const TOLERANCE = 960
/** Samples in front of the recording: a decoder's first output is unusable. */
export const RUN_UP = 960

/** Bytes fetched at once of each of up to 50 files, and the number of windows kept. */
const WINDOW = { window: 2 ** 20, kept: 3 } as const

/** Voices that follow one another without overlap. */
export type Lane = readonly IndividualStream[]

/** Distributes voices over as few lanes as there are voices at the same time. */
export function assignLanes(voices: readonly IndividualStream[]): Lane[] {
  const lanes: IndividualStream[][] = []
  for (const voice of voices) {
    const free = lanes.find((lane) => (lane.at(-1)?.stop ?? 0) <= voice.start)
    if (free) free.push(voice)
    else lanes.push([voice])
  }
  return lanes
}

/**
 * Writes a lane as one stream of Opus without gaps: packets at the samples at which they are heard, and silence between them.
 * A reader only has to count samples. The stream begins RUN_UP samples before the recording and has `length` samples after
 * its start.
 */
export const feedLane =
  (archive: IndividualArchive, lane: Lane, channels: number, length: number): Feed =>
  async (write) => {
    const line = createLine(channels, write)
    for (const voice of lane) await feedVoice(archive, voice, line)
    await line.fillUntil(length)
    await line.end()
  }

async function feedVoice(archive: IndividualArchive, voice: IndividualStream, line: Line): Promise<void> {
  const ahead = readAhead(archive.open(voice), WINDOW)
  await withWebm({ name: voice.file, source: ahead }, async (input) => {
    const track = await input.getPrimaryAudioTrack()
    if (!track) return
    ahead.begin()
    const end = Math.round(voice.stop * SAMPLES_PER_SECOND)
    let tolerance: number = MIN_SILENCE // the first packet is always placed exactly
    for await (const { data, timestamp } of new EncodedPacketSink(track).packets()) {
      const at = Math.round((voice.start + timestamp) * SAMPLES_PER_SECOND)
      if (at >= end) break
      if (await line.place(data, at, tolerance)) tolerance = TOLERANCE
    }
  })
}

type Line = ReturnType<typeof createLine>

function createLine(channels: number, write: Write) {
  const format = { sampleRate: SAMPLES_PER_SECOND, channels }
  const writer = createMatroskaWriter({ codecId: 'A_OPUS', configuration: opusHead(channels), format }, write)
  let position = -RUN_UP
  const add = async (data: Uint8Array, samples: number) => {
    await writer.add(data, Math.round(((position + RUN_UP) / SAMPLES_PER_SECOND) * TICKS_PER_SECOND), true)
    position += samples
  }
  const fillUntil = async (at: number) => {
    for (const { data, samples } of silence(at - position)) await add(data, samples)
  }
  return {
    fillUntil,
    end: writer.end,
    /** Adds a packet at a sample, give or take `tolerance`. Drops it and returns false where others are already. */
    async place(packet: Uint8Array, at: number, tolerance: number): Promise<boolean> {
      const samples = samplesIn(packet)
      if (samples === 0 || position - at > tolerance) return false
      if (at - position >= tolerance) await fillUntil(at + MIN_SILENCE / 2)
      await add(packet, samples)
      return true
    },
  }
}
