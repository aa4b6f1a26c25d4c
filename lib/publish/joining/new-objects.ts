import { z } from 'zod'
import type { Storage } from '../../aws/storage/storage.ts'
import type { NewObject } from '../../media/joining/join-tracks.ts'
import type { Manifest } from '../manifest/manifest.ts'
import { tagsFor } from '../manifest/retention.ts'

type Row = Manifest['files'][number]

/** The document that is stored beside an object. */
const stored = z.object({ size: z.int(), sha256: z.string() })

/** Uploads in parallel: each needs about 40 MB of memory. */
const AT_ONCE = 4

/**
 * Stores the new objects of a joined recording and returns their rows in the same order. An object with a document beside it
 * was stored by an interrupted attempt or for fewer parts. It is not stored again, since its key identifies its content.
 */
export async function storeNewObjects(
  objects: readonly NewObject[],
  keepDays: number | null,
  storage: Storage,
): Promise<Row[]> {
  const rows: Row[] = []
  const left = inTurn(objects)
  const work = async () => {
    for (const [index, object] of left) rows[index] = await storeOnce(object, keepDays, storage)
  }
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, work)) // wait for all: no upload continues after a failure is thrown
  for (const one of ended) if (one.status === 'rejected') throw one.reason
  return rows
}

/** Workers share one generator: when one of them fails, the generator returns for all. */
function* inTurn(objects: readonly NewObject[]) {
  yield* objects.entries()
}

async function storeOnce({ uri: key, content }: NewObject, keepDays: number | null, storage: Storage): Promise<Row> {
  const tags = tagsFor(keepDays)
  const noteKey = `${key}.json`
  const note = await storage.readDocument(noteKey)
  const found = note && stored.parse(note.value)
  if (found && (await storage.sizeOf(key)) === found.size) {
    for (const one of [key, noteKey]) await storage.tag(one, tags)
    return { role: 'hls-media', key, ...found }
  }
  const made = await storage.putStream(key, content(), 'video/mp4', tags)
  await storage.put(noteKey, JSON.stringify(made), 'application/json', tags)
  return { role: 'hls-media', key, ...made }
}
