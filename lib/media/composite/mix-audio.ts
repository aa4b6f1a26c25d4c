import { startFfmpeg } from '../ffmpeg.ts'
import type { IndividualArchive } from '../individual/individual-archive.ts'
import { dealOut, feedLane, RUN_UP } from './feed-voices.ts'
import { runWithInputs } from './many-inputs.ts'
import { SAMPLES_PER_SECOND } from './opus.ts'
import { type CompositePlan, FRAMES_PER_SECOND } from './plan-composite.ts'

/** Samples by which the limiter looks ahead and is late. */
const LOOK_AHEAD = 240
/** Decoders hold samples back; silence behind the end pushes them out. */
const RUN_OUT = 4 * 960

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
  const ffmpeg = startFfmpeg(ffmpegPath, mixArguments(lanes.length, samples, channels), [
    ...(['ignore', 'pipe', 'pipe'] as const),
    ...lanes.map(() => 'pipe' as const),
  ])
  const length = samples + LOOK_AHEAD + RUN_OUT
  const feeds = lanes.map(
    (lane) => (write: (bytes: Buffer) => Promise<void>) => feedLane(archive, lane, { channels, length }, write),
  )
  yield* runWithInputs(ffmpeg, feeds)
}

function mixArguments(lanes: number, samples: number, channels: number): string[] {
  const start = RUN_UP + LOOK_AHEAD
  const counted = Array.from({ length: lanes }, (_, lane) => `[${lane}:a]asetpts=N/SR/TB[lane${lane}]`)
  const names = Array.from({ length: lanes }, (_, lane) => `[lane${lane}]`).join('')
  const mix = [
    // Divides by how many lanes there are, none of which ends before the others: multiplied again, each is as loud as it was.
    `${names}amix=inputs=${lanes}:duration=shortest`,
    `volume=${lanes}:precision=float`,
    `alimiter=limit=0.95:attack=5:release=50:level=disabled`,
    `atrim=start_sample=${start}:end_sample=${start + samples}`,
    'asetpts=N/SR/TB[out]',
  ].join(',')
  return [
    ...Array.from({ length: lanes }, (_, lane) => ['-f', 'matroska', '-i', `pipe:${3 + lane}`]).flat(),
    ...['-filter_complex', [...counted, mix].join(';'), '-map', '[out]', '-map_metadata', '-1'],
    ...['-c:a', 'aac', '-b:a', channels === 1 ? '96k' : '128k', '-ar', String(SAMPLES_PER_SECOND)],
    ...['-ac', String(channels), '-flags', '+bitexact', '-fflags', '+bitexact'],
    ...['-movflags', '+empty_moov+default_base_moof', '-frag_duration', '20000000', '-f', 'mp4', 'pipe:1'],
  ]
}
