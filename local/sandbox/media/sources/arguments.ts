import type { Size } from '../composing/picture.ts'
import { FRAMES_PER_SECOND, SAMPLES_PER_FRAME, SAMPLES_PER_SECOND } from '../timebase.ts'
import type { SourceFile } from './source-file.ts'

export type Track = 'picture' | 'audio'

export const fileTracksOf = ({ hasVideo, hasAudio }: SourceFile): Track[] => [
  ...(hasVideo ? (['picture'] as const) : []),
  ...(hasAudio ? (['audio'] as const) : []),
]

/** ffmpeg's terms for a track: the option that leaves out the other, its name, and the pipe of its output. */
const TRACKS = {
  picture: { without: '-an', name: 'v:0', pipe: 1 },
  audio: { without: '-vn', name: 'a:0', pipe: 3 },
} as const

/** Returns the number of the child's pipe for a track. */
export const pipeOf = (track: Track) => TRACKS[track].pipe

/**
 * Returns ffmpeg's arguments to decode tracks from a frame: pictures as I420, audio as 16-bit samples. Pictures follow the
 * file's own timestamps: long ones are repeated, and gaps in the audio are silence. Both tracks are endless: after the end
 * the last picture stays for a second, followed by black.
 */
export function decodingArguments(file: SourceFile, tracks: readonly Track[], from: number, size: Size): string[] {
  const outputs = {
    picture: ['-vf', pictureFilters(size), '-threads', '1', '-f', 'rawvideo'],
    audio: ['-af', SOUND_FILTERS, '-ar', String(SAMPLES_PER_SECOND), '-ac', '1', '-f', 's16le'],
  }
  return [
    ...['-filter_threads', '1'],
    ...inputs(file, tracks, from > 0 ? ['-ss', (from / FRAMES_PER_SECOND).toFixed(6)] : []),
    ...tracks.flatMap((track, index) => [...mapped(track, index), ...outputs[track], `pipe:${pipeOf(track)}`]),
  ]
}

/** Returns ffmpeg's arguments to decode the first frame of each track and write a line about it, within 10 s of CPU time. */
export const probingArguments = (file: SourceFile, tracks: readonly Track[]): string[] => [
  ...['-timelimit', '10'],
  ...inputs(file, tracks, []),
  ...tracks.flatMap((track, index) => {
    const onlyFirst = `-frames:${TRACKS[track].name[0]}`
    return [...mapped(track, index), onlyFirst, '1', '-f', 'framecrc', 'pipe:1']
  }),
]

/**
 * Returns an input per track, so that ffmpeg does not decode all of one track while it waits for the other. The format is
 * fixed, so that a playlist is not followed to other files.
 */
const inputs = ({ path, format }: SourceFile, tracks: readonly Track[], seek: readonly string[]) =>
  tracks.flatMap((track) => [
    ...[...UNTHREADED_INPUT, TRACKS[track].without, ...seek],
    ...['-f', format, '-i', `file:${path}`],
  ])

/** Files are decoded in parallel already: more threads would cost a sixth more CPU. */
const UNTHREADED_INPUT = ['-threads', '1', '-thread_queue_size', '0']

const mapped = (track: Track, index: number) => ['-map', `${index}:${TRACKS[track].name}`]

/** Shrinks by averaging, as the compositor's scaler does; ffmpeg's default takes as long as decoding. */
const pictureFilters = ({ width, height }: Size) =>
  [
    `fps=${FRAMES_PER_SECOND}:start_time=0`,
    `scale=${width}:${height}:flags=area:out_color_matrix=bt601:out_range=tv`,
    'format=yuv420p',
    `tpad=stop=${FRAMES_PER_SECOND}:stop_mode=clone`,
    'tpad=stop=-1:color=black',
  ].join()

/** Audio in chunks of five frames, since each chunk has a cost. */
const SOUND_FILTERS = `aresample=async=1:first_pts=0,apad,asetnsamples=n=${5 * SAMPLES_PER_FRAME}`
