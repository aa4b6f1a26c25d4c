import { posix } from 'node:path'
import { FILE_LINK_SECONDS } from '../api/watch-routes.ts'
import type { Storage } from '../aws/storage/storage.ts'
import { withUris } from '../media/hls/playlists/uris.ts'
import type { Manifest } from './manifest/manifest.ts'

const TYPES: Readonly<Record<string, string>> = { '.mp4': 'video/mp4', '.zip': 'application/zip' }

/**
 * Creates a function that signs links to a recording's files. The source's link states version and content type.
 * @returns a function of a file's key and, for a download, the name under which it is saved
 */
export function createFileLinks({ archiveId, source }: Manifest, storage: Pick<Storage, 'link'>) {
  const extension = posix.extname(source.key)
  const asUploaded = {
    versionId: source.versionId,
    contentType: TYPES[extension] ?? 'application/octet-stream',
    fileName: `${archiveId}${extension}`,
  }
  return (key: string, fileName?: string): Promise<string> =>
    storage.link(key, FILE_LINK_SECONDS, {
      ...(key === source.key && asUploaded),
      ...(fileName !== undefined && { fileName }),
    })
}

/** Returns a playlist with each URI replaced by its link. A URI that occurs often is linked once. */
export async function linkPlaylist(playlist: string, linkTo: (uri: string) => Promise<string>): Promise<string> {
  const uris = new Set<string>()
  withUris(playlist, (uri) => {
    uris.add(uri)
    return uri
  })
  const links = new Map(await Promise.all([...uris].map(async (uri) => [uri, await linkTo(uri)] as const)))
  return withUris(playlist, (uri) => links.get(uri) ?? uri)
}
