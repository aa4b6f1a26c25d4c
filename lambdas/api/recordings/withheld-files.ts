import type { Manifest, WithheldFile } from '../../../lib/publish/manifest/manifest.ts'
import type { Services } from '../../../lib/services.ts'
import { acceptExecutionName, rebuildExecutionName } from '../../../lib/show/document/fields/names.ts'
import { judgement } from '../../../lib/show/document/orders/judgement.ts'
import { ApiProblem } from '../../http/problem.ts'
import { archiveIdOf, noRecording, ok, polledAt, type Routes, readBody } from '../../http/request.ts'

/** The routes of files that would replace a published one and are withheld. */
export const withheldRoutes = {
  /** A repeated request starts no second execution. */
  async 'POST /recordings/{archiveId}/accept'(event, services) {
    const archiveId = archiveIdOf(event)
    const { etag } = readBody(event, judgement)
    const { records, storage, publishExecutions, clock } = services
    const { source } = await recordingOf(archiveId, records)
    if (source.etag === etag)
      return ok({ archiveId, etag, outcome: 'published' }, 202, polledAt(`/recordings/${archiveId}`))
    if ((await storage.etagOf(source.key)) !== etag) throw replaced(archiveId)
    const acceptedAt = new Date(clock.now()).toISOString()
    const accepted = await changeWithheld(archiveId, etag, records, (withheld) => ({ acceptedAt, ...withheld }))
    if (!accepted) return ok({ archiveId, etag, outcome: 'published' }, 202, polledAt(`/recordings/${archiveId}`))
    const executionName = acceptExecutionName(archiveId, etag)
    await publishExecutions.start(executionName, { bucket: storage.bucket, key: source.key, etag })
    return ok({ archiveId, etag, outcome: 'publishing', executionName }, 202, polledAt(`/recordings/${archiveId}`))
  },

  /**
   * Deletes the withheld file and all other versions that are newer than the published one. An upload that arrived before the recording
   * was complete has ended its publish: it is continued.
   */
  async 'POST /recordings/{archiveId}/reject'(event, { records, storage, publishExecutions }) {
    const archiveId = archiveIdOf(event)
    const { etag } = readBody(event, judgement)
    const { source, withheld, status } = await recordingOf(archiveId, records)
    if (source.etag === etag)
      throw new ApiProblem('file-accepted', `The file is published. Delete the recording ${archiveId} instead.`)
    const outcome = ok({ archiveId, etag, outcome: 'rejected' })
    if (!withheld) return outcome
    if (withheld.etag === etag && withheld.acceptedAt)
      throw new ApiProblem('file-accepted', 'The file was accepted and is being published.')
    if (withheld.etag !== etag) throw another(withheld)
    const versions = await storage.versionsOf(source.key)
    const published = versions.findIndex((one) =>
      source.versionId ? one.versionId === source.versionId : one.etag === source.etag,
    )
    if (published < 0)
      throw new ApiProblem(
        'published-file-missing',
        'The published file is missing. Accept the withheld one, or delete the recording.',
      )
    if (published > 0 && versions[0]?.etag !== etag) throw replaced(archiveId)
    for (const { versionId } of versions.slice(0, published)) await storage.deleteVersion(source.key, versionId)
    if (status === 'ready') {
      const input = { bucket: storage.bucket, key: source.key, etag: source.etag ?? '' }
      await publishExecutions.start(rebuildExecutionName(archiveId, etag), input)
    }
    await changeWithheld(archiveId, etag, records, () => undefined)
    return outcome
  },
} satisfies Partial<Routes>

async function recordingOf(archiveId: string, { readManifest }: Services['records']): Promise<Manifest> {
  const manifest = await readManifest(archiveId)
  if (!manifest) throw noRecording(archiveId)
  return manifest
}

/** Changes the manifest's entry of this withheld file; returns false when the file has been published meanwhile. */
async function changeWithheld(
  archiveId: string,
  etag: string,
  { changeManifest }: Services['records'],
  change: (withheld: WithheldFile) => WithheldFile | undefined,
): Promise<boolean> {
  const changed = await changeManifest(
    archiveId,
    (earlier) => {
      if (!earlier) throw noRecording(archiveId)
      const { withheld, ...published } = earlier
      if (published.source.etag === etag) return earlier
      if (withheld?.etag !== etag) throw another(withheld)
      const changed = change(withheld)
      return { ...published, ...(changed && { withheld: changed }) }
    },
    async () => true,
  )
  return changed?.source.etag !== etag
}

const another = (withheld: WithheldFile | undefined) =>
  new ApiProblem(
    'wrong-file',
    withheld ? `The withheld file has the ETag ${withheld.etag}. Accept or reject that one.` : 'No file is withheld.',
  )

const replaced = (archiveId: string) =>
  new ApiProblem(
    'wrong-file',
    `Another file was uploaded meanwhile. Read the recording ${archiveId} again in a few minutes.`,
  )
