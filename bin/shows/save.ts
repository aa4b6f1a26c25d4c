import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { rolesOf } from '../../lib/publish/manifest/formats.ts'
import type { FileRole } from '../../lib/publish/manifest/manifest.ts'
import type { Format } from '../../lib/show/document/publishing.ts'
import type { RecordingAnswer } from './show-api.ts'

/** Where the parts of a published recording were saved. */
export interface Saved {
  readonly file: string
  readonly manifest: string
  /** Bytes of each format that was made of it. */
  readonly made: Readonly<Partial<Record<Format, number>>>
}

/**
 * Downloads a recording by its links, as anybody could: the archive, what was published of it, and its manifest. HLS stays
 * where it is, since what its playlists name are links that end.
 */
export async function saveRecording(recording: RecordingAnswer, directory: string): Promise<Saved> {
  await mkdir(directory, { recursive: true })
  const download = async ({ url, key }: { url: string; key: string }) => {
    const response = await fetch(url)
    if (!response.ok || !response.body) throw new Error(`${key} cannot be downloaded (${response.status}).`)
    const path = join(directory, key.split('/').at(-1) ?? '')
    await pipeline(Readable.fromWeb(response.body as never), createWriteStream(path))
    return path
  }
  const file = await download(recording.source)
  const isPlayedByLinks = ({ role }: { role: FileRole }) => role === 'hls' || role === 'hls-media'
  const isElsewhere = ({ key }: { key: string }) => key !== recording.source.key
  for (const published of recording.files)
    if (isElsewhere(published) && !isPlayedByLinks(published)) await download(published)
  const manifest = join(directory, 'manifest.json')
  await writeFile(manifest, `${JSON.stringify(withoutLinks(recording), null, 2)}\n`)
  return { file, manifest, made: sizesOf(recording) }
}

/** Renditions are counted with the HLS that they are part of. */
function sizesOf({ files }: RecordingAnswer): Saved['made'] {
  const sizes = (Object.entries(rolesOf) as [Format, readonly FileRole[]][])
    .filter(([format]) => format !== 'renditions')
    .map(([format, roles]) => [format, files.filter(({ role }) => roles.includes(role))] as const)
    .filter(([, found]) => found.length > 0)
    .map(([format, found]) => [format, found.reduce((sum, { size }) => sum + size, 0)])
  return Object.fromEntries(sizes)
}

/** The manifest as it lies in the bucket. */
function withoutLinks({ source, files, watch, ...rest }: RecordingAnswer) {
  const { url: _, ...bare } = source
  return { ...rest, source: bare, files: files.map(({ url, ...file }) => file) }
}
