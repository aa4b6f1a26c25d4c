import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { credentialsOf, type WatchCredentials, type WatchQuery, watchQuery } from '../../lib/api/watch-routes.ts'
import { manifestOfLive } from '../../lib/publish/clips/manifest-of-live.ts'
import { type ClipRecord, clipSubject, isLiveClip, type LiveClipRecord } from '../../lib/publish/manifest/clip.ts'
import type { Manifest } from '../../lib/publish/manifest/manifest.ts'
import { readClip } from '../../lib/records/clip-records.ts'
import type { Services } from '../../lib/services.ts'
import { archiveIdPattern, clipIdPattern } from '../../lib/show/document/fields/names.ts'
import { pageOf } from '../../lib/show/document/page.ts'
import { ApiProblem } from '../http/problem.ts'

export type Visiting = Pick<Services, 'records' | 'storage' | 'watchLinks'>

export interface Visit {
  readonly manifest: Manifest
  /** The clip that the link admits to; absent for a link to the whole recording. */
  readonly clip?: ClipRecord
  readonly query: WatchQuery
  /** Credentials for further requests of the page. */
  readonly credentials: WatchCredentials | undefined
}

/**
 * Checks the signature of a request's link, before anything is read: the response time of an invalid link reveals nothing.
 * @param subject the archive id, or `showSubject`
 * @throws {@link ApiProblem} for an incomplete link and a signature that is not valid
 */
export async function readLink(
  event: APIGatewayProxyEventV2,
  subject: string,
  { watchLinks }: Pick<Services, 'watchLinks'>,
) {
  const parsed = watchQuery.safeParse(event.queryStringParameters ?? {})
  if (!parsed.success)
    throw new ApiProblem('invalid-link', 'The link is incomplete. Open the full link that you received.')
  const { expires, epoch = 0, signature } = parsed.data
  if (expires === undefined || signature === undefined) return { query: parsed.data, grant: undefined }
  const grant = { expires, ...(epoch > 0 && { epoch }), signature }
  const verification = await watchLinks.verify(subject, grant)
  if (verification === 'not ours') throw notAdmitted()
  return { query: parsed.data, grant: { ...grant, isExpired: verification === 'expired' } }
}

/** Returns the grant of a link. @throws {@link ApiProblem} without one, and once it has expired */
export function requireGrant(link: Awaited<ReturnType<typeof readLink>>) {
  if (!link.grant) throw notAdmitted()
  const { isExpired, ...grant } = link.grant
  if (isExpired) throw new ApiProblem('link-expired', 'This link has expired. Ask the publisher for a new one.')
  return grant
}

/** Checks a request's link. @throws {@link ApiProblem} that does not reveal whether the recording of an invalid link exists */
export async function admitVisitor(event: APIGatewayProxyEventV2, services: Visiting): Promise<Visit> {
  const archiveId = event.pathParameters?.archiveId ?? ''
  const clipId = event.pathParameters?.clipId
  const link = await readLink(event, clipId === undefined ? archiveId : clipSubject(archiveId, clipId), services)
  const live = clipId === undefined ? undefined : await findLiveClip(archiveId, clipId, services)
  if (live) return { ...live, query: link.query, credentials: admitToLive(live.clip, link) }
  const manifest = archiveIdPattern.test(archiveId) ? await services.records.readManifest(archiveId) : undefined
  const found = manifest && clipId !== undefined ? await findClip(archiveId, clipId, services) : undefined
  const clip = found && { clip: found }
  const isMissing = clipId !== undefined && !found
  if (manifest?.access === 'public') {
    if (isMissing) throw new ApiProblem('unknown-recording', 'The clip is no longer there.')
    return { manifest, ...clip, query: link.query, credentials: undefined }
  }

  const grant = requireGrant(link)
  if (!manifest) throw new ApiProblem('unknown-recording', 'The recording is no longer there.')
  if ((grant.epoch ?? 0) !== (manifest.epoch ?? 0))
    throw new ApiProblem('link-revoked', 'This link was revoked. Ask the publisher for a new one.')
  if (isMissing) throw new ApiProblem('unknown-recording', 'The clip is no longer there.')
  return { manifest, ...clip, query: link.query, credentials: credentialsOf(grant) }
}

const findClip = async (archiveId: string, clipId: string, { storage }: Pick<Services, 'storage'>) =>
  clipIdPattern.test(clipId) ? (await readClip(storage, archiveId, clipId))?.document : undefined

/** Finds a clip of a live show. In place of a recording's manifest it has one without files. */
async function findLiveClip(archiveId: string, clipId: string, services: Visiting) {
  const clip = archiveIdPattern.test(archiveId) ? await findClip(archiveId, clipId, services) : undefined
  if (!clip || !isLiveClip(clip)) return undefined
  const request = await services.records.readRequest(clip.live.showId)
  return { clip, manifest: manifestOfLive(clip, request && pageOf(request.show)) }
}

/** Returns the credentials of a link to a clip of a live show; undefined if anyone may watch it. */
function admitToLive({ live }: LiveClipRecord, link: Awaited<ReturnType<typeof readLink>>) {
  return live.access === 'public' ? undefined : credentialsOf(requireGrant(link))
}

const notAdmitted = () => new ApiProblem('link-required', 'This page needs a signed link. Ask its publisher for one.')
