import type { z } from 'zod'
import type { Storage } from '../aws/storage/storage.ts'
import { StorageError } from '../tasks/errors.ts'

/** Documents by the JSON values that they were parsed from: storage returns the same value while a text is unchanged. */
const parsedValues = new WeakMap<z.ZodType, WeakMap<object, unknown>>()

function earlierBy(schema: z.ZodType): WeakMap<object, unknown> {
  const known = parsedValues.get(schema) ?? new WeakMap()
  parsedValues.set(schema, known)
  return known
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/**
 * Reads a document, with its ETag as the condition for replacing it; undefined if there is none. Its readers share
 * it, so it must not be changed in place.
 * @throws {@link StorageError} when this version cannot read the document
 */
export async function readStored<Schema extends z.ZodType>(
  storage: Pick<Storage, 'readDocument'>,
  key: string,
  schema: Schema,
): Promise<{ readonly document: z.output<Schema>; readonly etag: string } | undefined> {
  const stored = await storage.readDocument(key)
  if (!stored) return undefined
  const known = earlierBy(schema)
  const earlier = isObject(stored.value) ? known.get(stored.value) : undefined
  if (earlier !== undefined) return { document: earlier as z.output<Schema>, etag: stored.etag }
  const parsed = schema.safeParse(stored.value)
  if (parsed.success) {
    if (isObject(stored.value)) known.set(stored.value, parsed.data)
    return { document: parsed.data, etag: stored.etag }
  }
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'the whole'}: ${message}`)
  throw new StorageError(
    `${key} is not a document that this version of Showrunner reads (${problems.join('; ')}): was it written by another version?`,
  )
}
