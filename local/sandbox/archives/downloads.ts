import { createHmac } from 'node:crypto'
import { Hono } from 'hono'
import { limits } from '../../../lib/platform/contract/limits.ts'
import { serveFile } from '../http/byte-ranges.ts'
import { Refusal } from '../http/refusal.ts'
import type { Variables } from '../http/router.ts'
import { isEqual } from '../http/signatures.ts'
import type { SandboxParts } from '../parts.ts'
import type { ArchiveRecord } from '../state/records.ts'
import { fileOf } from './archive-files.ts'

/** Signs the URLs of available files. Each works for ten minutes, and no record of them is kept. */
export function createDownloads(
  parts: Pick<SandboxParts, 'store' | 'files' | 'now' | 'publicUrl'> & {
    /** Signs the URLs. It is not the project's secret, so that a refresh of the secret leaves them valid. */
    key: string
  },
) {
  const { store, files, now, publicUrl, key } = parts

  const sign = (archiveId: string, expires: string) =>
    createHmac('sha256', key).update(`${archiveId} ${expires}`).digest('base64url')

  const routes = new Hono<Variables>().get('/downloads/:archiveId/:expires/:signature/:file', (c) => {
    c.set('operation', 'download')
    const { archiveId, expires, signature, file } = c.req.param()
    const archive = store.archives.get(archiveId)
    const isValid = isEqual(signature, sign(archiveId, expires)) && Number(expires) > now()
    if (!archive?.file || !isValid || archive.status !== 'available' || file !== fileOf(archive).name)
      throw new Refusal(404, 'There is no such file, or its URL has expired: read the archive for a new URL.')
    const { size, sha256 } = archive.file
    return serveFile(c, {
      type: fileOf(archive).type,
      size,
      tag: sha256,
      cacheControl: 'private, no-store',
      open: (range) => files.open(archiveId, range),
    })
  })

  return {
    routes,
    url(archive: ArchiveRecord): string {
      const { id } = archive
      const expires = String(now() + limits.archiveUrlValidity.value * 1000)
      return `${publicUrl()}/downloads/${id}/${expires}/${sign(id, expires)}/${fileOf(archive).name}`
    },
  }
}
