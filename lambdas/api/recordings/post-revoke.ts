import { findJoined } from '../../../lib/publish/deletion/delete-recording.ts'
import type { Services } from '../../../lib/services.ts'
import { isJoinedId } from '../../../lib/show/document/fields/names.ts'
import { nothingMore } from '../../../lib/show/document/fields/nothing-more.ts'
import { type ApiEvent, ok, readBody } from '../../http/request.ts'
import { archiveIdOf, noRecording } from './recording.ts'

/**
 * `POST /recordings/{archiveId}/revoke`: ends every link to the watch page, and makes a public recording private. The links of
 * the recording that joins it to other parts end as well.
 */
export async function postRevoke(event: ApiEvent, { records }: Pick<Services, 'records'>) {
  const archiveId = archiveIdOf(event)
  readBody(event, nothingMore)
  const revoke = (id: string) =>
    records.changeManifest(
      id,
      (earlier) => {
        if (!earlier) throw noRecording(id)
        return { ...earlier, access: 'signed', epoch: (earlier.epoch ?? 0) + 1 }
      },
      async () => true,
    )
  const revoked = await revoke(archiveId)
  const joined = isJoinedId(archiveId) ? undefined : await findJoined(records, archiveId, revoked)
  if (joined?.manifest) await revoke(joined.archiveId)
  return ok({ archiveId, revoked: [archiveId, ...(joined?.manifest ? [joined.archiveId] : [])] })
}
