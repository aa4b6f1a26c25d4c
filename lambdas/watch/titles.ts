import { posix } from 'node:path'
import type { Manifest } from '../../lib/publish/manifest/manifest.ts'

type Named = Pick<Manifest, 'show' | 'page' | 'createdAt'>

/** Returns the titles of a recording, the show's first: `Launch webinar` and `program`. */
export const titlesOf = ({ show, page }: Omit<Named, 'createdAt'>): string[] => {
  const titles = [page?.title, show?.name].flatMap((title) => title ?? [])
  return titles.length > 0 ? titles : ['Recording']
}

/** Returns the name of a downloaded file: `Launch webinar – program – 2026-11-22.mp4`. */
export const downloadName = (recording: Named, key: string): string =>
  [...titlesOf(recording), recording.createdAt.slice(0, 10)].join(' – ') + posix.extname(key)
