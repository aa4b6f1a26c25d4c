import { rename } from 'node:fs/promises'
import { locateMoov } from '../../../../lib/media/mp4/top-level-boxes.ts'
import { withFile } from '../file-bytes.ts'
import { FRAMES_PER_SECOND } from '../timebase.ts'
import { remux } from './remux.ts'

/** Microseconds of a fragment: the media that is lost when an encoder is killed. */
const FRAGMENT = 500_000

/**
 * Returns the path of an mp4's fragments during the encoding. An mp4 cannot be played before its index is written at the
 * end, and the index stays in memory until then. A file of fragments can be played at any time.
 */
export const fragmentsOf = (path: string) => `${path}.fragments`

/** Returns ffmpeg's output arguments for the fragments of an mp4. */
export const fragmentsArguments = (path: string) => [
  ...AT_ITS_TIME,
  ...['-movflags', 'frag_keyframe+delay_moov+default_base_moof', '-frag_duration', String(FRAGMENT)],
  ...['-flush_packets', '1'], // else ffmpeg buffers 256 KiB
  ...['-f', 'mp4', fragmentsOf(path)],
]

/**
 * Joins fragments to a faststart mp4, which appears when it is complete. If that fails, for example because the disk has no
 * room for both, the mp4 is the fragments themselves, which can be played too.
 */
export async function joinFragments(ffmpegPath: string, path: string): Promise<void> {
  const args = [
    ...['-copyts', '-i', fragmentsOf(path), '-map', '0', '-c', 'copy', '-map_metadata', '-1', '-fflags', '+bitexact'],
    ...['-r', String(FRAMES_PER_SECOND)], // builds of 2018 take the duration of the last picture from it
    ...[...AT_ITS_TIME, '-movflags', '+faststart', '-f', 'mp4'],
  ]
  try {
    await remux(ffmpegPath, args, path, hasIndex)
  } catch {
    await rename(fragmentsOf(path), path)
  }
}

const hasIndex = async (path: string) => (await withFile(path, locateMoov)) === 'front'

/** Option that keeps the audio's start before 0, which an mp4 can express. */
const AT_ITS_TIME = ['-avoid_negative_ts', 'disabled']
