import {
  clipPath,
  clipPlaylistPath,
  credentialsOf,
  FILE_LINK_SECONDS,
  WATCH_LINK_SECONDS,
} from '../../lib/api/watch-routes.ts'
import { type ClipRecord, clipSubject } from '../../lib/publish/manifest/clip.ts'
import type { Manifest } from '../../lib/publish/manifest/manifest.ts'
import type { Services } from '../../lib/services.ts'
import type { ApiEvent } from '../http/request.ts'
import { watchOriginOf } from '../http/watch-origin.ts'

/**
 * Returns links that admit viewers to a clip, and to nothing else.
 * @param playlist key of its first playlist
 */
export async function clipLinksOf(
  { archiveId, clipId, file }: Pick<ClipRecord, 'archiveId' | 'clipId' | 'file'>,
  { access, epoch, playlist }: Pick<Manifest, 'access' | 'epoch'> & { readonly playlist: string },
  event: ApiEvent,
  services: Pick<Services, 'storage' | 'watchLinks' | 'variable'>,
) {
  const { storage, watchLinks } = services
  const origin = watchOriginOf(event, services)
  const isPublic = access === 'public'
  const grant = isPublic ? undefined : await watchLinks.grant(clipSubject(archiveId, clipId), WATCH_LINK_SECONDS, epoch)
  const credentials = grant && credentialsOf(grant)
  const end = grant && { expiresAt: new Date(grant.expires * 1000).toISOString() }
  return {
    watch: { url: origin + clipPath(archiveId, clipId, credentials), ...end },
    hls: { url: origin + clipPlaylistPath(archiveId, clipId, playlist, credentials), ...end },
    ...(file && {
      file: {
        ...file,
        url: await storage.link(file.key, FILE_LINK_SECONDS),
        expiresAt: new Date(await storage.linkEnd(FILE_LINK_SECONDS)).toISOString(),
      },
    }),
  }
}
