import { createWriteStream, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Blobs } from './blobs.ts'

/** Each read costs two changes of threads, whatever its size; a hundred readers at once still stay near 100 MB. */
const READ_BYTES = 1024 * 1024
/** What may wait while the disk is written to, to be written by one call. */
const WRITE_BYTES = 1024 * 1024

/** Keeps every blob as one file of `directory`; a file without its number as whole name is unfinished. */
export function createFileBlobs(directory: string): Blobs {
  mkdirSync(directory, { recursive: true })
  const pathOf = (id: number) => join(directory, String(id))
  return {
    async write(id, source) {
      const unfinished = `${pathOf(id)}.part`
      try {
        await pipeline(source, createWriteStream(unfinished, { highWaterMark: WRITE_BYTES }))
        await rename(unfinished, pathOf(id))
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
    },
    async *read(id, start, length, memory) {
      const file = await open(pathOf(id))
      try {
        for (let at = start; at < start + length; ) {
          const wanted = Math.min(memory?.length ?? READ_BYTES, start + length - at)
          const { bytesRead, buffer } = await file.read(memory ?? Buffer.allocUnsafeSlow(wanted), 0, wanted, at)
          if (bytesRead === 0) throw new Error(`Blob ${id} ends at byte ${at}, before ${start + length}.`)
          at += bytesRead
          yield buffer.subarray(0, bytesRead)
        }
      } finally {
        await file.close()
      }
    },
    remove: (id) => rmSync(pathOf(id), { force: true }),
    sweep(isNeeded) {
      for (const name of readdirSync(directory)) {
        if (!/^\d+$/.test(name) || !isNeeded(Number(name))) rmSync(join(directory, name), { force: true })
      }
    },
  }
}
