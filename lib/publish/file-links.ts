import { posix } from 'node:path'
import { FILE_LINK_SECONDS } from '../api/watch-routes.ts'
import type { Storage } from '../aws/storage/storage.ts'
import type { Manifest } from './manifest/manifest.ts'

const TYPES: Readonly<Record<string, string>> = { '.mp4': 'video/mp4', '.zip': 'application/zip' }

/**
 * Returns a function that signs links to files of one recording. A link to the source leads to the version that was
 * published, whatever is uploaded in its place, and says what it is: who uploads could name another type.
 */
export function createFileLinks({ archiveId, source }: Manifest, storage: Pick<Storage, 'link'>) {
  const extension = posix.extname(source.key)
  const asUploaded = {
    versionId: source.versionId,
    contentType: TYPES[extension] ?? 'application/octet-stream',
    fileName: `${archiveId}${extension}`,
  }
  return (key: string): Promise<string> => storage.link(key, FILE_LINK_SECONDS, key === source.key ? asUploaded : {})
}
