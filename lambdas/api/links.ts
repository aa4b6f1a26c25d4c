import type { Services } from '../../lib/services/services.ts'
import type { Manifest } from '../../lib/workflow/documents/manifest.ts'

/** Seconds for which the links of an answer work. */
const LINK_VALIDITY = 3_600

/** A recording as it is shown: its manifest, with time-limited links to the source and the published files. */
export async function withLinks(manifest: Manifest, { storage }: Pick<Services, 'storage'>) {
  const link = async <File extends { readonly key: string }>(file: File) => ({
    ...file,
    url: await storage.link(file.key, LINK_VALIDITY),
  })
  return { ...manifest, source: await link(manifest.source), files: await Promise.all(manifest.files.map(link)) }
}
