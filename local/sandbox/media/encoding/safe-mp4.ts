import { rename } from 'node:fs/promises'
import { locateMoov } from '../../../../lib/media/mp4/top-level-boxes.ts'
import { withFile } from '../file-bytes.ts'
import { FRAMES_PER_SECOND } from '../timebase.ts'
import { remux } from './remux.ts'

/** Microseconds of media that an encoder which is killed may take with it. */
const FRAGMENT = 500_000

/**
 * Where a recording lies in fragments while it is made: an mp4 cannot be played before its index has been written to its end,
 * and keeps all of that in memory until then; a file of fragments can be played as far as it goes.
 */
export const fragmentsOf = (path: string) => `${path}.fragments`

/** The end of ffmpeg's command line that writes the fragments of an mp4. */
export const fragmentsArguments = (path: string) => [
  ...AT_ITS_TIME,
  ...['-movflags', 'frag_keyframe+delay_moov+default_base_moof', '-frag_duration', String(FRAGMENT)],
  ...['-flush_packets', '1'], // else ffmpeg keeps 256 KiB to itself
  ...['-f', 'mp4', fragmentsOf(path)],
]

/**
 * Makes an mp4 of its fragments, with its index first, so that players can seek before they have all of it; it is there once
 * it is whole. Where that fails, as on a disk that has
 * no room for both, it is the fragments themselves, which can be played too.
 */
export async function joinFragments(ffmpegPath: string, path: string): Promise<void> {
  const args = [
    ...['-copyts', '-i', fragmentsOf(path), '-map', '0', '-c', 'copy', '-map_metadata', '-1', '-fflags', '+bitexact'],
    ...['-r', String(FRAMES_PER_SECOND)], // by which builds of 2018 know how long the last picture is shown
    ...[...AT_ITS_TIME, '-movflags', '+faststart', '-f', 'mp4'],
  ]
  try {
    await remux(ffmpegPath, args, path, hasIndex)
  } catch {
    await rename(fragmentsOf(path), path)
  }
}

const hasIndex = async (path: string) => (await withFile(path, locateMoov)) === 'front'

/** Audio begins a little before 0, which an mp4 can say. */
const AT_ITS_TIME = ['-avoid_negative_ts', 'disabled']
