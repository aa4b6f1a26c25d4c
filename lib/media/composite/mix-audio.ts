import { startFfmpeg } from '../ffmpeg/ffmpeg.ts'
import type { IndividualArchive } from '../individual/individual-archive.ts'
import { dealOut, feedLane, type Lane, type LaneSpec, RUN_UP } from './feed-voices.ts'
import { type Feed, runWithPipes } from './ffmpeg-pipes.ts'
import { SAMPLES_PER_SECOND } from './opus.ts'
import { type CompositePlan, FRAMES_PER_SECOND } from './plan-composite.ts'

/** Samples by which the limiter looks ahead and is late. */
const LOOK_AHEAD = 240
/** Decoders hold samples back; silence behind the end pushes them out. */
const RUN_OUT = 4 * 960
/** Microseconds of audio that ffmpeg writes at once. */
const FRAGMENT = '60000000'
/** Voices that one process decodes: more of them are dealt out to several, since each decodes one after the other. */
const LANES_AT_ONCE = 16

/**
 * Mixes all voices of a composite, each at its own loudness, and encodes them as AAC in a fragmented MP4 that is as long as the
 * picture: in one pass, so that there is no seam. Nothing comes when nobody is heard. The same archive gives the same bytes with
 * the same ffmpeg.
 * @throws MediaError when a stream cannot be read or decoded, and when ffmpeg fails; whatever the archive's source rejects
 *   with, unchanged
 */
export async function* mixAudio(
  archive: IndividualArchive,
  { voices, frames }: Pick<CompositePlan, 'voices' | 'frames'>,
  { ffmpegPath }: { readonly ffmpegPath: string },
): AsyncGenerator<Uint8Array, void, undefined> {
  if (voices.length === 0 || frames === 0) return
  const lanes = dealOut(voices)
  const channels = voices.some(({ audio }) => (audio?.channels ?? 1) > 1) ? 2 : 1
  const samples = (frames * SAMPLES_PER_SECOND) / FRAMES_PER_SECOND
  const spec: LaneSpec = { channels, length: samples + LOOK_AHEAD + RUN_OUT }

  const feedsOf = (some: readonly Lane[]) =>
    some.map(
      (lane): Feed =>
        (write) =>
          feedLane(archive, lane, spec, write),
    )
  const encoding = encodingArguments(samples, channels)
  if (lanes.length <= LANES_AT_ONCE) {
    yield* mix(ffmpegPath, feedsOf(lanes), OPUS_INPUT, encoding)
    return
  }
  const groups = Array.from({ length: Math.ceil(lanes.length / LANES_AT_ONCE) }, (_, index) =>
    feedsOf(lanes.slice(index * LANES_AT_ONCE, (index + 1) * LANES_AT_ONCE)),
  )
  const raw = ['-f', 'f32le', '-ar', String(SAMPLES_PER_SECOND), '-ac', String(channels)]
  const feeds = groups.map(
    (group): Feed =>
      async (write) => {
        const output = { filters: [], options: [...raw, 'pipe:1'] }
        for await (const bytes of mix(ffmpegPath, group, OPUS_INPUT, output)) await write(Buffer.from(bytes))
      },
  )
  yield* mix(ffmpegPath, feeds, ['-probesize', '32', '-analyzeduration', '0', ...raw], encoding)
}

interface Output {
  /** What is done to the sum. */
  readonly filters: readonly string[]
  readonly options: readonly string[]
}

const OPUS_INPUT = ['-f', 'matroska'] as const

/** Adds up inputs that all begin at the same sample and are equally long. */
function mix(ffmpegPath: string, feeds: readonly Feed[], input: readonly string[], { filters, options }: Output) {
  const numbers = feeds.map((_, index) => index)
  const counted = numbers.map((index) => `[${index}:a]asetpts=N/SR/TB[lane${index}]`)
  const sum = [
    // Divides by how many there are, none of which ends before the others: multiplied again, each is as loud as it was.
    `${numbers.map((index) => `[lane${index}]`).join('')}amix=inputs=${feeds.length}:duration=shortest`,
    `volume=${feeds.length}:precision=float`,
    ...filters,
  ].join(',')
  const ffmpeg = startFfmpeg(
    ffmpegPath,
    [
      ...numbers.flatMap((index) => [...input, '-i', `pipe:${3 + index}`]),
      ...['-filter_complex', `${[...counted, sum].join(';')}[out]`, '-map', '[out]', '-map_metadata', '-1'],
      ...['-flags', '+bitexact', '-fflags', '+bitexact', ...options],
    ],
    ['ignore', 'pipe', 'pipe', ...numbers.map(() => 'pipe' as const)],
  )
  return runWithPipes(ffmpeg, feeds)
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
