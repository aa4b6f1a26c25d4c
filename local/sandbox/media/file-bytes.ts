import { type FileHandle, open } from 'node:fs/promises'
import type { ByteSource } from '../../../lib/media/byte-source.ts'
import { MediaError } from '../../../lib/media/media-error.ts'

/**
 * Opens a media file for the duration of `use`. Returns undefined for a missing or damaged file.
 * @throws Error for a file that cannot be read
 */
export async function withFile<T>(path: string, use: (source: ByteSource) => Promise<T>): Promise<T | undefined> {
  const file = await open(path).catch(undefinedIfMissing)
  if (!file) return undefined
  try {
    const { size } = await file.stat()
    return await use({ size, read: (start, end) => readRange(file, start, end) })
  } catch (error) {
    if (error instanceof MediaError) return undefined
    throw error
  } finally {
    await file.close()
  }
}

/** Returns undefined for a missing file, and rethrows any other error. */
export function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

async function readRange(file: FileHandle, start: number, end: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(end - start)
  await file.read(bytes, 0, bytes.length, start)
  return bytes
}
