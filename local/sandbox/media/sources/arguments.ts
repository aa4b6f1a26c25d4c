import type { Size } from '../composing/picture.ts'
import { FRAMES_PER_SECOND, SAMPLES_PER_FRAME, SAMPLES_PER_SECOND } from '../timebase.ts'
import type { SourceFile } from './source-file.ts'

export type Track = 'picture' | 'audio'

export const tracksOf = ({ hasVideo, hasAudio }: SourceFile): Track[] => [
  ...(hasVideo ? (['picture'] as const) : []),
  ...(hasAudio ? (['audio'] as const) : []),
]

/** What a track is to ffmpeg: the tracks that are left out beside it, its name, and the pipe that it comes through. */
const TRACKS = {
  picture: { without: '-an', name: 'v:0', pipe: 1 },
  audio: { without: '-vn', name: 'a:0', pipe: 3 },
} as const

/** The child's pipe of a track. */
export const pipeOf = (track: Track) => TRACKS[track].pipe

/**
 * Decodes from a frame on: the picture, if it has a size, as I420, and the audio as 16-bit samples. The file's own time
 * decides which picture a frame shows: one that lasts is repeated, where audio is missing there is silence. Neither ends: the
 * last picture stays for a second, then it is black.
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

/** Decodes the first of each track, and writes a line about each; gives up after ten seconds of processor time. */
export const probingArguments = (file: SourceFile, tracks: readonly Track[]): string[] => [
  ...['-timelimit', '10'],
  ...inputs(file, tracks, []),
  ...tracks.flatMap((track, index) => {
    const onlyFirst = `-frames:${TRACKS[track].name[0]}`
    return [...mapped(track, index), onlyFirst, '1', '-f', 'framecrc', 'pipe:1']
  }),
]

/**
 * Each track is an input of its own: so one that begins late, pauses or ends early is not waited for with all of the other
 * decoded meanwhile. The format is given, so that a playlist is never taken for a recording and opens nothing else.
 */
const inputs = ({ path, format }: SourceFile, tracks: readonly Track[], seek: readonly string[]) =>
  tracks.flatMap((track) => [
    ...[...UNTHREADED_INPUT, TRACKS[track].without, ...seek],
    ...['-f', format, '-i', `file:${path}`],
  ])

/** Files are decoded side by side as it is: threads would spend a sixth again on waiting for one another. */
const UNTHREADED_INPUT = ['-threads', '1', '-thread_queue_size', '0']

const mapped = (track: Track, index: number) => ['-map', `${index}:${TRACKS[track].name}`]

/** A picture that shrinks is averaged, as by our own scaler; ffmpeg's usual way takes as long again as decoding. */
const pictureFilters = ({ width, height }: Size) =>
  [
    `fps=${FRAMES_PER_SECOND}:start_time=0`,
    `scale=${width}:${height}:flags=area:out_color_matrix=bt601:out_range=tv`,
    'format=yuv420p',
    `tpad=stop=${FRAMES_PER_SECOND}:stop_mode=clone`,
    'tpad=stop=-1:color=black',
  ].join()

/** Audio comes five frames at a time, since each time costs; all of these wait for it together. */
const SOUND_FILTERS = `aresample=async=1:first_pts=0,apad,asetnsamples=n=${5 * SAMPLES_PER_FRAME}`
