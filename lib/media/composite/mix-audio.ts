import type { IndividualArchive } from '../individual/individual-archive.ts'
import { assignLanes, feedLane, RUN_UP } from './feed-voices.ts'
import { type Feed, runWithPipes } from './ffmpeg-pipes.ts'
import { SAMPLES_PER_SECOND } from './opus.ts'
import { type CompositePlan, FRAMES_PER_SECOND } from './plan-composite.ts'

/** Samples by which the limiter looks ahead, and delays the mix. */
const LOOK_AHEAD = 240
/** Samples of silence after the end, since decoders hold samples back. */
const RUN_OUT = 4 * 960
/** Microseconds of audio that ffmpeg writes at once. */
const FRAGMENT = '60000000'
/** Lanes that one process decodes, one after the other; more lanes are distributed over several processes. */
const LANES_PER_PROCESS = 16

/**
 * Mixes all voices of a composite, each at its own loudness, and encodes them as AAC in a fragmented MP4 that is as long as the
 * picture. One pass, so that there is no seam. Yields nothing without voices. The same archive gives the same bytes with the
 * same ffmpeg.
 * @throws {@link MediaError} when a stream cannot be decoded or ffmpeg fails; errors of the archive's source pass through
 *   unchanged
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
  const encoding = encodingArguments(samples, channels)
  if (lanes.length <= LANES_PER_PROCESS) {
    yield* mix(ffmpegPath, lanes, OPUS_INPUT, encoding)
    return
  }
  const raw = ['-f', 'f32le', '-ar', String(SAMPLES_PER_SECOND), '-ac', String(channels)]
  const groups: Feed[] = []
  for (let first = 0; first < lanes.length; first += LANES_PER_PROCESS) {
    const group = lanes.slice(first, first + LANES_PER_PROCESS)
    groups.push(async (write) => {
      const output = { filters: [], options: [...raw, 'pipe:1'] }
      for await (const bytes of mix(ffmpegPath, group, OPUS_INPUT, output)) await write(Buffer.from(bytes))
    })
  }
  yield* mix(ffmpegPath, groups, ['-probesize', '32', '-analyzeduration', '0', ...raw], encoding)
}

interface Output {
  /** Applied to the sum. */
  readonly filters: readonly string[]
  readonly options: readonly string[]
}

const OPUS_INPUT = ['-f', 'matroska'] as const

/** Adds up inputs that begin at the same sample and have the same length. */
function mix(ffmpegPath: string, feeds: readonly Feed[], input: readonly string[], { filters, options }: Output) {
  const counted = feeds.map((_, index) => `[${index}:a]asetpts=N/SR/TB[lane${index}]`)
  const sum = [
    // amix divides by the number of inputs, which all last to the end: multiplied again, each has its own loudness.
    `${feeds.map((_, index) => `[lane${index}]`).join('')}amix=inputs=${feeds.length}:duration=shortest`,
    `volume=${feeds.length}:precision=float`,
    ...filters,
  ].join(',')
  const args = [
    ...feeds.flatMap((_, index) => [...input, '-i', `pipe:${3 + index}`]),
    ...['-filter_complex', `${[...counted, sum].join(';')}[out]`, '-map', '[out]', '-map_metadata', '-1'],
    ...['-flags', '+bitexact', '-fflags', '+bitexact', ...options],
  ]
  return runWithPipes(ffmpegPath, args, feeds)
}

function encodingArguments(samples: number, channels: number): Output {
  const start = RUN_UP + LOOK_AHEAD
  return {
    filters: [
      'alimiter=limit=0.95:attack=5:release=50:level=disabled',
      `atrim=start_sample=${start}:end_sample=${start + samples}`,
      'asetpts=N/SR/TB',
    ],
    options: [
      ...['-c:a', 'aac', '-b:a', channels === 1 ? '96k' : '128k', '-ar', String(SAMPLES_PER_SECOND)],
      ...['-ac', String(channels), '-movflags', '+empty_moov+default_base_moof', '-frag_duration', FRAGMENT],
      ...['-f', 'mp4', 'pipe:1'],
    ],
  }
}
