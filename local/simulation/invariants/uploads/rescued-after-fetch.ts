import { keys, parseArchiveKey } from '../../../../lib/show/state/keys.ts'
import type { ShowState } from '../../../../lib/show/state/state.ts'
import type { Evidence } from '../evidence.ts'
import { writesOf } from '../model/writes.ts'
import { deletedIn } from '../requests/edits-of.ts'

/** Checks that a show’s state names an archive as rescued only after its file was stored. Of a deleted one no version may be left. */
export function rescuedAfterFetch({
  shows,
  versions,
  trace,
  apiRequests,
}: Pick<Evidence, 'shows' | 'versions' | 'trace' | 'apiRequests'>): string[] {
  const writes = writesOf(trace)
  const deleted = deletedIn({ apiRequests, trace })
  const orderOf = ({ versionId }: { versionId: string }) => writes.get(versionId)?.order
  const storedAt = (archiveId: string) =>
    Math.min(
      ...versions
        .filter(({ key }) => parseArchiveKey(key)?.archiveId === archiveId)
        .map((version) => orderOf(version) ?? 0),
    )
  return shows.flatMap(({ showId }) => {
    const states = versions.filter(({ key, text }) => key === keys.state(showId) && text.includes('"rescued":true'))
    const early = states.flatMap((version) => {
      const order = orderOf(version) ?? Number.POSITIVE_INFINITY
      const { recordings } = JSON.parse(version.text) as ShowState
      return recordings.filter(
        ({ rescued, archiveId = '' }) => rescued && !deleted.has(archiveId) && storedAt(archiveId) > order,
      )
    })
    return [...new Set(early.map(({ tag }) => `the archive ${tag} was named as rescued before its file was stored`))]
  })
}
