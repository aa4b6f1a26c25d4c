import type { createFileLinks } from '../../lib/publish/file-links.ts'
import type { Manifest } from '../../lib/publish/manifest/manifest.ts'
import { archiveFiles } from '../../lib/show/state/keys.ts'
import { downloadName } from './titles.ts'

export type Downloads = Awaited<ReturnType<typeof downloadsOf>>

/**
 * Signs links to the single files of a recording: to play, and to save under a name. Joined parts have no single video. Of an
 * individual archive the composite is played. Without one it can be saved as the zip that it is.
 */
export async function downloadsOf(manifest: Manifest, link: ReturnType<typeof createFileLinks>) {
  const { files, parts, source } = manifest
  const keyOf = (role: Manifest['files'][number]['role']) => files.find((file) => file.role === role)?.key
  const download = (key: string | undefined) => (key === undefined ? null : link(key, downloadName(manifest, key)))
  const recorded = source.key.endsWith(`/${archiveFiles.individual}`) ? keyOf('composite') : source.key
  const video = parts ? undefined : (keyOf('faststart') ?? recorded)
  return {
    file: video === undefined ? null : await link(video),
    downloads: {
      video: await download(video ?? (parts ? undefined : source.key)),
      audio: await download(keyOf('audio')),
    },
  }
}
