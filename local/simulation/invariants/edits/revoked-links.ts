import type { Evidence } from '../evidence.ts'
import { manifestIn } from '../publishing/archive-files.ts'
import { concerns, editsIn, isDone, isUncertain } from '../requests/edits-of.ts'

/**
 * Checks that a recording whose links were revoked is private and has another epoch of links, also after later publishes and other
 * changes. A joined recording is revoked with each of its parts, also if they are joined later.
 */
export function revokedLinks(evidence: Pick<Evidence, 'apiRequests' | 'objects'>): string[] {
  const revocations = editsIn(evidence).filter(({ action }) => action === 'POST revoke')
  const done = revocations.filter(isDone)
  const revoked = new Set(done.flatMap(({ answer }) => (JSON.parse(answer) as { revoked: readonly string[] }).revoked))
  const unlisted = done.filter(({ archiveId, answer }) => !answer.includes(`"${archiveId}"`))
  return [
    ...unlisted.map(({ archiveId }) => `the links of ${archiveId} were revoked, which the answer does not list`),
    ...[...revoked].flatMap((archiveId) => {
      const manifest = manifestIn(evidence.objects, archiveId)
      if (!manifest) return [] // it was deleted
      const { access, epoch = 0, parts } = manifest
      const of = revocations.filter((one) => concerns(one, archiveId, parts))
      const least = done.filter(({ answer }) => answer.includes(`"${archiveId}"`)).length
      return [
        ...(access === 'signed' ? [] : [`the links of ${archiveId} were revoked, and it is ${access}`]),
        ...(epoch >= least && epoch <= of.length
          ? []
          : [`the links of ${archiveId} were revoked ${least} to ${of.length} times, and its epoch is ${epoch}`]),
      ]
    }),
    ...publicJoined(evidence),
  ]
}

const MANIFEST = /^recordings\/([^/]+)\/manifest\.json$/

/** Finds joined recordings that are public, or have links of before, although those of a part were revoked. */
function publicJoined(evidence: Pick<Evidence, 'apiRequests' | 'objects'>): string[] {
  const manifests = [...evidence.objects.keys()].flatMap((key) => {
    const [, archiveId = ''] = MANIFEST.exec(key) ?? []
    return manifestIn(evidence.objects, archiveId) ?? []
  })
  const uncertain = editsIn(evidence).filter((edit) => edit.action === 'POST revoke' && isUncertain(edit))
  return manifests.flatMap(({ archiveId, access, epoch = 0, parts = [] }) => {
    if (uncertain.some((edit) => concerns(edit, archiveId, parts))) return []
    const ofParts = manifests.filter((one) => parts.includes(one.archiveId)).map((one) => one.epoch ?? 0)
    const least = Math.max(0, ...ofParts)
    return least === 0 || (access === 'signed' && epoch >= least)
      ? []
      : [`${archiveId} is ${access} with the epoch ${epoch}, and a part of it has the epoch ${least}`]
  })
}
