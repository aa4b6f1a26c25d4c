import { statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { startFfmpeg } from '../../../../lib/media/ffmpeg/ffmpeg.ts'
import { MediaError } from '../../../../lib/media/media-error.ts'
import { noteEncoder, removeNote } from './encoder-notes.ts'

/** An ffmpeg that writes nothing for so long (in real time) hangs. */
const MAX_STALL_MS = 30_000

/**
 * Has ffmpeg copy what was encoded into another file, the last of its arguments, which is there once it is whole. `isWhole`
 * looks: where a disk has no room for the end of a file, ffmpeg says so and ends with code 0.
 * @throws MediaError when ffmpeg fails, hangs or does not get to the end; nothing of the file is left then
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
  const look = setInterval(() => {
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
    clearInterval(look)
    removeNote(part)
  }
}
