import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { IndividualSetup } from '../commands.ts'
import { type RecordedStream, writeManifest } from './manifest.ts'
import { measure, writeZip } from './zip.ts'

/**
 * Writes the zip at `path`. The manifest is last, since it has the sizes of the other files. The zip appears complete or not
 * at all.
 * @throws Error when it cannot be written; an incomplete zip is removed
 */
export async function pack(
  archive: Pick<IndividualSetup, 'id' | 'sessionId' | 'manifest'>,
  streams: readonly RecordedStream[],
  path: string,
): Promise<{ size: number; sha256: string }> {
  const manifest = Buffer.from(writeManifest(archive, streams))
  const entries = [
    ...streams.map(({ filename: name, path, size, crc }) => ({ name, size, crc, open: () => createReadStream(path) })),
    { name: `${archive.id}.json`, open: () => [manifest], ...(await measure([manifest])) },
  ]
  const hash = createHash('sha256')
  let size = 0
  const part = `${path}.part`
  try {
    await pipeline(async function* () {
      for await (const piece of writeZip(entries, archive.manifest.createdAt)) {
        hash.update(piece)
        size += piece.length
        yield piece
      }
    }, createWriteStream(part))
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true }).catch(() => {}) // the first error matters more
    throw error
  }
  return { size, sha256: hash.digest('base64') }
}
