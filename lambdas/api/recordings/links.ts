import {
  credentialsOf,
  FILE_LINK_SECONDS,
  playlistPath,
  WATCH_LINK_SECONDS,
  watchPath,
} from '../../../lib/api/watch-routes.ts'
import { createFileLinks } from '../../../lib/publish/file-links.ts'
import type { Manifest } from '../../../lib/publish/manifest/manifest.ts'
import type { Services } from '../../../lib/services.ts'
import type { ApiEvent } from '../../http/request.ts'
import { watchOriginOf } from '../../http/watch-origin.ts'

type Linking = Pick<Services, 'storage' | 'watchLinks' | 'clock' | 'variable'>

/** Returns a manifest with expiring links to its files. That of the master playlist leads to a route that links on. */
export async function withLinks(manifest: Manifest, event: ApiEvent, services: Linking) {
  const { archiveId, access, source, files } = manifest
  const { storage, watchLinks } = services
  const origin = watchOriginOf(event, services)
  const grant = access === 'public' ? undefined : await watchLinks.grant(archiveId, WATCH_LINK_SECONDS, manifest.epoch)
  const credentials = grant && credentialsOf(grant)
  const grantEnd = grant && { expiresAt: isoOf(grant.expires * 1000) }
  const linkTo = createFileLinks(manifest, storage)
  const expiresAt = isoOf(await storage.linkEnd(FILE_LINK_SECONDS))
  const link = async <File extends { readonly key: string }>(file: File) => ({
    ...file,
    url: await linkTo(file.key),
    expiresAt,
  })
  const linkFile = async (file: Manifest['files'][number]) =>
    file.role === 'hls'
      ? { ...file, url: origin + playlistPath(archiveId, file.key, credentials), ...grantEnd }
      : link(file)
  return {
    ...manifest,
    watch: { url: origin + watchPath(archiveId, credentials), ...grantEnd },
    source: await link(source),
    files: await Promise.all(files.map(linkFile)),
  }
}

const isoOf = (time: number) => new Date(time).toISOString()

/** Returns a manifest without the files of playlists, of which a long recording has hundreds. */
export const withoutParts = (manifest: Manifest): Manifest => ({
  ...manifest,
  files: manifest.files.filter(({ role }) => role !== 'hls-media'),
})
