import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { RecordingAnswer } from './show-api.ts'

/** Where the parts of a published recording were saved. */
export interface Saved {
  readonly file: string
  readonly manifest: string
}

/** Downloads a recording by its links, as anybody could: the archive, what was published of it, and its manifest. */
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
  for (const published of recording.files) await download(published)
  const manifest = join(directory, 'manifest.json')
  await writeFile(manifest, `${JSON.stringify(withoutLinks(recording), null, 2)}\n`)
  return { file, manifest }
}

/** The manifest as it lies in the bucket. */
function withoutLinks({ source, files, ...rest }: RecordingAnswer) {
  const { url: _, ...bare } = source
  return { ...rest, source: bare, files: files.map(({ url, ...file }) => file) }
}
