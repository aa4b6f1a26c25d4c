import { z } from 'zod'
import type { Storage } from '../../aws/storage/storage.ts'
import type { NewObject } from '../../media/joining/join-tracks.ts'
import type { Manifest } from '../manifest/manifest.ts'
import { tagsFor } from '../manifest/retention.ts'

type Row = Manifest['files'][number]

/** What is known of a stored object, beside it. */
const stored = z.object({ size: z.int(), sha256: z.string() })

/** Objects that are stored at once: each has about 40 MB in memory. */
const AT_ONCE = 4

/**
 * Stores what is new in a joined presentation, and gives its rows in their order. What the document beside it says is there has
 * been stored before, by an attempt that broke off or for fewer parts, and is not stored again: its name says what is in it.
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
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, work)) // nothing is stored behind a failure
  for (const one of ended) if (one.status === 'rejected') throw one.reason
  return rows
}

/** One generator for all who work: once one of them has failed it is over for all. */
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
