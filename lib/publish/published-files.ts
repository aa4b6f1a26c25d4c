import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { Storage } from '../aws/storage/storage.ts'
import { type FileRole, type publishedFile, tagsFor } from './manifest/manifest.ts'

export type PublishedFile = z.output<typeof publishedFile>

export interface FileToPublish {
  readonly role: FileRole
  readonly key: string
  readonly content: Uint8Array | string
  readonly contentType: string
  readonly keepDays: number | null
}

/** Stores a file that was made of a recording and returns its row of the manifest. */
export async function publishFile(
  storage: Pick<Storage, 'put'>,
  { role, key, content, contentType, keepDays }: FileToPublish,
): Promise<PublishedFile> {
  await storage.put(key, content, contentType, tagsFor(keepDays))
  const sha256 = createHash('sha256').update(content).digest('hex')
  return { role, key, size: Buffer.byteLength(content), sha256 }
}
