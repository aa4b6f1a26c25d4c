import { statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { startFfmpeg } from '../../../../lib/media/ffmpeg/ffmpeg.ts'
import { MediaError } from '../../../../lib/media/media-error.ts'
import { noteEncoder, removeNote } from './encoder-notes.ts'

/** Milliseconds of real time after which an ffmpeg that writes nothing is killed. */
const MAX_STALL_MS = 30_000

/**
 * Copies encoded media into another file with ffmpeg. The file appears at `path` when it is complete. `isWhole` checks that:
 * on a full disk ffmpeg only warns, and exits with code 0.
 * @throws {@link MediaError} when ffmpeg fails, hangs or leaves the file incomplete; the file is removed then
 */
export async function remux(
  ffmpegPath: string,
  args: readonly string[],
  path: string,
  isWhole: (path: string) => Promise<boolean>,
): Promise<void> {
  const part = `${path}.part`
  const { child, ended } = startFfmpeg(ffmpegPath, [...args, part], ['ignore', 'ignore', 'pipe'])
  noteEncoder(part, child)
  let written = ''
  const watchdog = setInterval(() => {
    const { size = 0, mtimeMs = 0 } = statSync(part, { throwIfNoEntry: false }) ?? {}
    const state = `${size} ${mtimeMs}` // moving an index to the front writes without growing the file
    if (state === written) child.kill('SIGKILL')
    written = state
  }, MAX_STALL_MS)
  try {
    await ended
    if (!(await isWhole(part))) throw new MediaError('ffmpeg did not write a file to its end: the disk may be full.')
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  } finally {
    clearInterval(watchdog)
    removeNote(part)
  }
}
