import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import type { Services } from '../../lib/services/services.ts'
import type { Manifest } from '../../lib/workflow/documents/manifest.ts'
import { archiveIdPattern } from '../../lib/workflow/names.ts'
import { type WatchCredentials, type WatchQuery, watchQuery } from '../../lib/workflow/watch.ts'
import { ApiProblem } from '../api/problem.ts'

/** Somebody who may watch a recording. */
export interface Visit {
  readonly manifest: Manifest
  readonly query: WatchQuery
  /** What a further request of the page carries, to be let in as this one was. */
  readonly credentials: WatchCredentials | undefined
}

/** @throws ApiProblem 400, 403 or 404 when it is not to be watched by this link; none tells whether a recording exists */
export async function admit(event: APIGatewayProxyEventV2, services: Services): Promise<Visit> {
  const archiveId = event.pathParameters?.archiveId ?? ''
  const parsed = watchQuery.safeParse(event.queryStringParameters ?? {})
  if (!parsed.success) throw new ApiProblem(400, 'The link is not whole: open it as it was given.')
  const { expires, signature } = parsed.data
  const manifest = archiveIdPattern.test(archiveId) ? await services.records.readManifest(archiveId) : undefined
  if (manifest?.access === 'public') return { manifest, query: parsed.data, credentials: undefined }

  const verdict = await services.watchLinks.verify(archiveId, {
    ...(expires !== undefined && { expires }),
    ...(signature !== undefined && { signature }),
  })
  if (verdict === 'expired') throw new ApiProblem(403, 'This link has ended: ask for another one.')
  if (verdict === 'not ours')
    throw new ApiProblem(403, 'Watching needs a link that was made for it: ask whoever published the recording.')
  if (!manifest) throw new ApiProblem(404, 'There is no such recording any more.')
  return { manifest, query: parsed.data, credentials: { expires: String(expires), signature: signature ?? '' } }
}
