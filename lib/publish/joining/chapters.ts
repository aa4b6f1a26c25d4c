import type { Storage } from '../../aws/storage/storage.ts'
import { parseWebVtt } from '../../media/captions/web-vtt.ts'
import { type Chapter, writeChapters } from '../../media/chapters/find-chapters.ts'
import type { ChaptersOfPart } from '../../media/joining/join-chapters.ts'
import type { Cut } from '../../media/joining/plan-cuts.ts'
import { keys } from '../../show/state/keys.ts'
import type { Manifest } from '../manifest/manifest.ts'
import { publishFile } from '../published-files.ts'
import { endOfPart, type Part } from './fitting-parts.ts'
import type { Place } from './playlists.ts'

/** Reads the chapters of each part. */
export const chaptersOf = (
  parts: readonly Part[],
  cuts: readonly Cut[],
  storage: Pick<Storage, 'readText'>,
): Promise<ChaptersOfPart[]> =>
  Promise.all(
    parts.map(async (part, index) => {
      const file = part.manifest.files.find(({ role }) => role === 'chapters')
      const text = file && (await storage.readText(file.key))
      const chapters = text ? parseWebVtt(text).cues.map(({ start, end, text }) => ({ start, end, title: text })) : []
      return { chapters, end: endOfPart(part), cut: cuts[index] as Cut }
    }),
  )

/** Publishes the chapters of a joined recording, if it has any. */
export async function publishJoinedChapters(
  chapters: readonly Chapter[],
  { archiveId, edition, keepDays }: Place,
  storage: Storage,
): Promise<Manifest['files']> {
  if (chapters.length === 0) return []
  const key = keys.published(archiveId, 'joined', edition, 'chapters.vtt')
  const content = writeChapters(chapters)
  return [await publishFile(storage, { role: 'chapters', key, content, contentType: 'text/vtt', keepDays })]
}
