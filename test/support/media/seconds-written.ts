import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The id of the element of WebM that holds up to a second of frames. */
const CLUSTER = Buffer.from('1f43b675', 'hex').toString('latin1')
const FRAGMENTS_PER_SECOND = 2

/**
 * Returns how many seconds of the longest archive under way would survive its encoder now. A test that kills a recording
 * waits for these instead of time: a slow machine writes them later.
 * @param directory where the sandbox keeps its media
 */
export async function secondsWritten(directory: string): Promise<number> {
  const names = await readdir(directory, { recursive: true }).catch(() => [])
  const seconds = names.map(async (name) => {
    const count = async (mark: string) =>
      (await readFile(join(directory, name), 'latin1').catch(() => '')).split(mark).length - 1
    if (name.endsWith('.fragments')) return (await count('moof')) / FRAGMENTS_PER_SECOND
    return name.endsWith('.webm') ? (await count(CLUSTER)) - 1 : 0 // the last one is being written
  })
  return Math.max(0, ...(await Promise.all(seconds)))
}
