import type { z } from 'zod'
import type { Storage } from '../aws/storage/storage.ts'
import { StorageError } from '../tasks/errors.ts'

/**
 * Reads a document, with its ETag as the condition for replacing it; undefined if there is none.
 * @throws {@link StorageError} when this version cannot read the document
 */
export async function readStored<Schema extends z.ZodType>(
  storage: Pick<Storage, 'readDocument'>,
  key: string,
  schema: Schema,
): Promise<{ readonly document: z.output<Schema>; readonly etag: string } | undefined> {
  const stored = await storage.readDocument(key)
  if (!stored) return undefined
  const parsed = schema.safeParse(stored.value)
  if (parsed.success) return { document: parsed.data, etag: stored.etag }
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'the whole'}: ${message}`)
  throw new StorageError(
    `${key} is not a document that this version of Showrunner reads (${problems.join('; ')}): was it written by another version?`,
  )
}
