import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { credentialsOf, type WatchCredentials, type WatchQuery, watchQuery } from '../../lib/api/watch-routes.ts'
import type { Manifest } from '../../lib/publish/manifest/manifest.ts'
import type { Services } from '../../lib/services.ts'
import { archiveIdPattern } from '../../lib/show/document/fields/names.ts'
import { ApiProblem } from '../http/problem.ts'

export type Visiting = Pick<Services, 'records' | 'storage' | 'watchLinks'>

export interface Visit {
  readonly manifest: Manifest
  readonly query: WatchQuery
  /** Credentials for further requests of the page. */
  readonly credentials: WatchCredentials | undefined
}

/** Checks a request's link. @throws {@link ApiProblem} that does not reveal whether the recording of an invalid link exists */
export async function admit(event: APIGatewayProxyEventV2, services: Visiting): Promise<Visit> {
  const archiveId = event.pathParameters?.archiveId ?? ''
  const parsed = watchQuery.safeParse(event.queryStringParameters ?? {})
  if (!parsed.success)
    throw new ApiProblem('invalid-link', 'The link is incomplete. Open the full link that you received.')
  const { expires, epoch = 0, signature } = parsed.data
  const grant =
    expires !== undefined && signature !== undefined ? { expires, ...(epoch > 0 && { epoch }), signature } : undefined
  // Verified first, so that the response time of an invalid link does not reveal whether the recording exists.
  const verification = grant ? await services.watchLinks.verify(archiveId, grant) : 'not ours'
  if (grant && verification === 'not ours') throw notAdmitted()
  const manifest = archiveIdPattern.test(archiveId) ? await services.records.readManifest(archiveId) : undefined
  if (manifest?.access === 'public') return { manifest, query: parsed.data, credentials: undefined }

  if (!grant) throw notAdmitted()
  if (verification === 'expired')
    throw new ApiProblem('link-expired', 'This link has expired. Ask the publisher for a new one.')
  if (!manifest) throw new ApiProblem('unknown-recording', 'The recording is no longer there.')
  if (epoch !== (manifest.epoch ?? 0))
    throw new ApiProblem('link-revoked', 'This link was revoked. Ask the publisher for a new one.')
  return { manifest, query: parsed.data, credentials: credentialsOf(grant) }
}

const notAdmitted = () =>
  new ApiProblem('link-required', 'This recording needs a signed link. Ask its publisher for one.')
