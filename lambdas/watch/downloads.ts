import type { createFileLinks } from '../../lib/publish/file-links.ts'
import type { Manifest } from '../../lib/publish/manifest/manifest.ts'
import { downloadName } from './titles.ts'

export type Downloads = Awaited<ReturnType<typeof downloadsOf>>

/** Signs links to the single files of a recording: to play, and to save under a name. Joined parts have no single video. */
export async function downloadsOf(manifest: Manifest, link: ReturnType<typeof createFileLinks>) {
  const keyOf = (role: Manifest['files'][number]['role']) => manifest.files.find((file) => file.role === role)?.key
  const download = (key: string | undefined) => (key === undefined ? null : link(key, downloadName(manifest, key)))
  const whole = manifest.parts ? undefined : (keyOf('faststart') ?? manifest.source.key)
  return {
    file: whole === undefined ? null : await link(whole),
    downloads: { video: await download(whole), audio: await download(keyOf('audio')) },
  }
}
