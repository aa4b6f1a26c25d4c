import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { ShowApi } from '../../bin/shows/show-api.ts'

/** Stops a show, waits until its only recording is complete, and downloads the archive into a folder. */
export async function stopAndDownload(api: ShowApi, showId: string, directory: string) {
  await api.controls.stop(showId)
  const listed = async () => (await api.recordings.list().page()).items
  await expect.poll(async () => (await listed()).map(({ status }) => status)).toEqual(['complete'])
  const [recording] = await listed()
  const file = join(directory, 'program.mp4')
  await writeFile(file, Buffer.from(await (await fetch(recording?.source.url ?? '')).arrayBuffer()))
  return { recording, file }
}
