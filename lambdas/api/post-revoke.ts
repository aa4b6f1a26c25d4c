import { findJoined } from '../../lib/services/deleting.ts'
import type { Services } from '../../lib/services/services.ts'
import { isJoinedId } from '../../lib/workflow/names.ts'
import { nothingMore } from '../../lib/workflow/orders/nothing-more.ts'
import { archiveIdOf, noRecording } from './recording.ts'
import { type ApiEvent, ok, readBody } from './request.ts'

/**
 * `POST /recordings/{archiveId}/revoke`: ends every link to its watch page, and makes it private where it was public. What
 * joins it to other parts of a recording shows the same, so its links end as well.
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
