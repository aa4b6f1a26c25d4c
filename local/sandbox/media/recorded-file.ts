import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import type { RecordedFile } from './media.ts'

/** Returns the finished file of an archive at `path`. */
export const recordedFileAt = (
  path: string,
  facts: Pick<RecordedFile, 'size' | 'seconds' | 'sha256'>,
): RecordedFile => ({
  ...facts,
  path,
  open: (range) => createReadStream(path, range),
  discard: () => rm(path, { force: true }),
})

export async function fingerprint(path: string): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return { size: (await stat(path)).size, sha256: hash.digest('base64') }
}
