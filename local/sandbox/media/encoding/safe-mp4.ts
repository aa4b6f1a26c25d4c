import { teeArguments } from './tee.ts'

/** Microseconds of media that an encoder which is killed may take with it. */
const FRAGMENT = 500_000

/**
 * Where the same recording lies in fragments while it is made: an mp4 cannot be played before its index has been written
 * to its end, a file of fragments can as far as it goes.
 */
export const fragmentsOf = (path: string) => `${path}.fragments`

/** The end of ffmpeg's command line that writes an mp4, and its fragments beside it. */
export const safeMp4Arguments = (path: string) => [
  '-avoid_negative_ts', // sound begins a little before 0, which an mp4 can say, but builds of 2018 do not believe of a tee
  'disabled',
  ...teeArguments([
    { format: 'mp4', options: {}, file: path },
    {
      format: 'mp4',
      options: {
        movflags: 'frag_keyframe+delay_moov+default_base_moof',
        frag_duration: String(FRAGMENT),
        flush_packets: '1', // else ffmpeg keeps 256 KiB to itself
      },
      file: fragmentsOf(path),
    },
  ]),
]

/** The command line that makes an mp4 of fragments as it would have been made at once, with its index at its end. */
export const joinFragmentsArguments = (fragments: string, path: string) => [
  ...['-copyts', '-i', fragments, '-map', '0', '-c', 'copy', '-map_metadata', '-1', '-fflags', '+bitexact'],
  ...['-avoid_negative_ts', 'disabled', '-f', 'mp4', path],
]
