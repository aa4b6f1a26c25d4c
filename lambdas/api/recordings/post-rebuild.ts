import { randomUUID } from 'node:crypto'
import { sourceOf } from '../../../lib/publish/deletion/delete-recording.ts'
import type { Services } from '../../../lib/services.ts'
import { rebuildExecutionName } from '../../../lib/show/document/fields/names.ts'
import { rebuildOrder } from '../../../lib/show/document/orders/rebuild.ts'
import { ApiProblem } from '../../http/problem.ts'
import { type ApiEvent, idempotencyIdOf, ok, readBody } from '../../http/request.ts'
import { archiveIdOf, noRecording } from './recording.ts'

/** `POST /recordings/{archiveId}/rebuild`: publishes a recording again, by another execution. */
export async function postRebuild(event: ApiEvent, services: Services) {
  const archiveId = archiveIdOf(event)
  const { formats } = readBody(event, rebuildOrder)
  const { withheld } = (await services.records.readManifestIfOwn(archiveId)) ?? {}
  if (withheld && !withheld.acceptedAt)
    throw new ApiProblem('file-withheld', `The file ${withheld.etag} is withheld. Accept or reject it first.`)
  const source = await sourceOf(services, archiveId)
  if (!source) throw noRecording(archiveId)
  const executionName = rebuildExecutionName(archiveId, idempotencyIdOf(event) ?? randomUUID())
  const { bucket } = services.storage
  await services.publishExecutions.start(executionName, { bucket, ...source, ...(formats && { formats }) })
  return ok({ archiveId, executionName }, 202)
}
