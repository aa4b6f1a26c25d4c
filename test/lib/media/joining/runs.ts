import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Picture } from '../../../../local/sandbox/media/composing/picture.ts'
import { decodePictures, decodeSound } from '../../../support/media/decode.ts'
import { totalDuration } from '../hls/rfc8216.ts'

interface Run {
  readonly path: string
  /** Seconds, by the playlist. */
  readonly duration: number
}

/**
 * Decodes the pictures of a joined playlist as its tags say: ffmpeg knows no discontinuities, so it gets each stretch between
 * them as a playlist of its own, and no more of it than that is to last.
 */
export async function decodeJoinedPictures(ffmpegPath: string, path: string, playlist: string): Promise<Picture[]> {
  const pictures: Picture[] = []
  for (const run of await writeRuns(path, playlist)) {
    const seconds = run.duration - 1 / 60
    pictures.push(...(await decodePictures(ffmpegPath, run.path, { width: 320, height: 240, seconds })))
  }
  return pictures
}

/** The same of its sound. */
export async function decodeJoinedSound(ffmpegPath: string, path: string, playlist: string): Promise<Int16Array> {
  const sounds: Int16Array[] = []
  for (const { path: one, duration } of await writeRuns(path, playlist)) {
    sounds.push((await decodeSound(ffmpegPath, one)).subarray(0, Math.round(duration * 48_000)))
  }
  return Int16Array.from(sounds.flatMap((sound) => [...sound]))
}

async function writeRuns(path: string, playlist: string): Promise<Run[]> {
  const [, head = '', body = ''] = /^(.*?)(#EXT-X-MAP.*)#EXT-X-ENDLIST\n$/s.exec(playlist) ?? []
  let map = ''
  const runs = body.split('#EXT-X-DISCONTINUITY\n').map((run) => {
    const named = /^#EXT-X-MAP.*\n/.exec(run)?.[0]
    map = named ?? map // it holds until there is another
    return `${head}${named ? '' : map}${run}#EXT-X-ENDLIST\n`
  })
  return Promise.all(
    runs.map(async (text, index) => {
      const own = join(dirname(path), `run-${index}-of-${path.split('/').at(-1)}`)
      await writeFile(own, text)
      return { path: own, duration: totalDuration(text) }
    }),
  )
}
