import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type FileRole, rolesOf } from '../../lib/publish/manifest/manifest.ts'
import type { Format } from '../../lib/show/document/publishing.ts'
import type { RecordingAnswer } from './show-api.ts'

/** Paths of a saved recording. */
export interface Saved {
  readonly file: string
  readonly manifest: string
  /** Bytes of each published format. */
  readonly made: Readonly<Partial<Record<Format, number>>>
}

/**
 * Downloads a recording through its links: the archive, its published files and its manifest. Leaves out HLS, whose playlists
 * refer to links that expire.
 * @throws Error when a file cannot be downloaded
 */
export async function saveRecording(recording: RecordingAnswer, directory: string): Promise<Saved> {
  await mkdir(directory, { recursive: true })
  const download = async ({ url, key }: { url: string; key: string }) => {
    const response = await fetch(url)
    if (!response.ok || !response.body)
      throw new Error(`${key} cannot be downloaded: the server answered ${response.status}.`)
    const path = join(directory, key.split('/').at(-1) ?? '')
    await pipeline(Readable.fromWeb(response.body as never), createWriteStream(path))
    return path
  }
  const archive = await download(recording.source)
  const isHls = ({ role }: { role: FileRole }) => role === 'hls' || role === 'hls-media'
  const isPublished = ({ key }: { key: string }) => key !== recording.source.key
  for (const file of recording.files) if (isPublished(file) && !isHls(file)) await download(file)
  const manifest = join(directory, 'manifest.json')
  await writeFile(manifest, `${JSON.stringify(withoutLinks(recording), null, 2)}\n`)
  return { file: archive, manifest, made: sizesOf(recording) }
}

/** Sums the bytes of each format. Renditions are counted as part of HLS. */
function sizesOf({ files }: RecordingAnswer): Saved['made'] {
  const sizes = (Object.entries(rolesOf) as [Format, readonly FileRole[]][])
    .filter(([format]) => format !== 'renditions')
    .map(([format, roles]) => [format, files.filter(({ role }) => roles.includes(role))] as const)
    .filter(([, found]) => found.length > 0)
    .map(([format, found]) => [format, found.reduce((sum, { size }) => sum + size, 0)])
  return Object.fromEntries(sizes)
}

/** Returns the manifest as it is stored in the bucket. */
function withoutLinks({ source, files, watch, ...rest }: RecordingAnswer) {
  const { url: _, ...bare } = source
  return { ...rest, source: bare, files: files.map(({ url, ...file }) => file) }
}
