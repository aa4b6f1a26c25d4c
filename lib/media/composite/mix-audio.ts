import { EncodedPacketSink } from 'mediabunny'
import type { IndividualArchive, IndividualStream } from '../individual/individual-archive.ts'
import { withWebm } from '../individual/open-webm.ts'
import { readAhead } from '../read-ahead.ts'
import { type Feed, FRAGMENTED_MP4, runWithPipes } from './ffmpeg-pipes.ts'
import { createMatroskaWriter, TICKS_PER_SECOND } from './matroska-writer.ts'
import { MIN_SILENCE, SAMPLES_PER_SECOND, samplesIn, silence } from './opus.ts'
import { type CompositePlan, FRAMES_PER_SECOND } from './plan-composite.ts'

/** Samples by which the limiter looks ahead, and delays the mix. */
const LOOK_AHEAD = 240
/** Samples in front of the recording: a decoder's first output is unusable. */
const RUN_UP = 960
/** Samples of silence after the end, since decoders hold samples back. */
const RUN_OUT = 4 * 960
/** Samples by which audio may drift before it is corrected audibly: less than a frame of the picture. */
const TOLERANCE = 960
/** Lanes that one process decodes, one after the other; more lanes are distributed over several processes. */
const LANES_PER_PROCESS = 16
/** Bytes fetched at once of each of up to 50 files, and the number of windows kept. */
const WINDOW = { window: 2 ** 20, kept: 3 } as const

/**
 * Mixes all voices of a composite, each at its own loudness, and encodes them as AAC in a fragmented MP4 that is as long as
 * the picture. One pass, so that there is no seam. Yields nothing without voices. The same archive gives the same bytes with
 * the same ffmpeg.
 * @throws {@link MediaError} when a stream cannot be decoded or ffmpeg fails
 */
export async function* mixAudio(
  archive: IndividualArchive,
  { voices, frames }: Pick<CompositePlan, 'voices' | 'frames'>,
  { ffmpegPath }: { readonly ffmpegPath: string },
): AsyncGenerator<Uint8Array, void, undefined> {
  if (voices.length === 0 || frames === 0) return
  const channels = voices.some(({ audio }) => (audio?.channels ?? 1) > 1) ? 2 : 1
  const samples = (frames * SAMPLES_PER_SECOND) / FRAMES_PER_SECOND
  const length = samples + LOOK_AHEAD + RUN_OUT
  const lanes = assignLanes(voices).map((lane) => feedLane(archive, lane, channels, length))
  const format = ['-ar', String(SAMPLES_PER_SECOND), '-ac', String(channels)]
  const aac = ['-c:a', 'aac', '-b:a', channels === 1 ? '96k' : '128k', ...format, ...FRAGMENTED_MP4]
  const start = RUN_UP + LOOK_AHEAD
  const finish = [
    'alimiter=limit=0.95:attack=5:release=50:level=disabled',
    `atrim=start_sample=${start}:end_sample=${start + samples}`,
    'asetpts=N/SR/TB',
  ]
  const opus = ['-f', 'matroska']
  if (lanes.length <= LANES_PER_PROCESS) return yield* mix(ffmpegPath, opus, lanes, aac, finish)
  const raw = ['-f', 'f32le', ...format]
  const groups: Feed[] = []
  for (let first = 0; first < lanes.length; first += LANES_PER_PROCESS) {
    const group = lanes.slice(first, first + LANES_PER_PROCESS)
    groups.push(async (write) => {
      for await (const bytes of mix(ffmpegPath, opus, group, raw)) await write(Buffer.from(bytes))
    })
  }
  yield* mix(ffmpegPath, ['-probesize', '32', '-analyzeduration', '0', ...raw], groups, aac, finish)
}

/** Adds up inputs that begin at the same sample and have the same length. @param finish filters that follow the sum */
function mix(
  ffmpegPath: string,
  input: readonly string[],
  feeds: readonly Feed[],
  output: readonly string[],
  finish: readonly string[] = [],
) {
  const lanes = feeds.map((_, index) => `[lane${index}]`)
  const counted = lanes.map((lane, index) => `[${index}:a]asetpts=N/SR/TB${lane};`)
  // amix divides by the number of inputs, which all last to the end: multiplied again, each has its own loudness.
  const sum = [`amix=inputs=${feeds.length}:duration=shortest`, `volume=${feeds.length}:precision=float`, ...finish]
  const graph = `${[...counted, ...lanes].join('')}${sum.join(',')}[out]`
  return runWithPipes(ffmpegPath, { feeds, input, graph, output })
}

/** Voices that follow one another without overlap. */
type Lane = readonly IndividualStream[]

/** Distributes voices over as few lanes as there are voices at the same time. */
function assignLanes(voices: readonly IndividualStream[]): Lane[] {
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
const feedLane =
  (archive: IndividualArchive, lane: Lane, channels: number, length: number): Feed =>
  async (write) => {
    const writer = createMatroskaWriter({ codecId: 'A_OPUS', format: { channels } }, write)
    let position = -RUN_UP
    const add = async (data: Uint8Array, samples: number) => {
      await writer.add(data, Math.round(((position + RUN_UP) / SAMPLES_PER_SECOND) * TICKS_PER_SECOND), true)
      position += samples
    }
    const fillUntil = async (at: number) => {
      for (const { data, samples } of silence(at - position)) await add(data, samples)
    }
    for (const voice of lane) {
      let tolerance: number = MIN_SILENCE // the first packet is always placed exactly
      await readVoice(archive, voice, async (data, at) => {
        const samples = samplesIn(data)
        if (samples === 0 || position - at > tolerance) return // others are there already
        if (at - position >= tolerance) await fillUntil(at + MIN_SILENCE / 2)
        await add(data, samples)
        tolerance = TOLERANCE
      })
    }
    await fillUntil(length)
    await writer.end()
  }

/** Reads the packets of a voice, each with the sample of the recording at which it is heard. */
async function readVoice(
  archive: IndividualArchive,
  voice: IndividualStream,
  take: (packet: Uint8Array, at: number) => Promise<void>,
): Promise<void> {
  const ahead = readAhead(archive.open(voice), WINDOW)
  await withWebm({ name: voice.file, source: ahead }, async (input) => {
    const track = await input.getPrimaryAudioTrack()
    if (!track) return
    ahead.begin()
    const end = Math.round(voice.stop * SAMPLES_PER_SECOND)
    for await (const { data, timestamp } of new EncodedPacketSink(track).packets()) {
      const at = Math.round((voice.start + timestamp) * SAMPLES_PER_SECOND)
      if (at >= end) break
      await take(data, at)
    }
  })
}
