import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { withPooledBuffer } from '../../buffer-pool.ts'
import type { Blobs } from './blobs.ts'

/** Buffer size of readers without one: large enough for the disk, and a hundred take less than 30 MB. */
const READ_BYTES = 256 * 1024

/** Stores every blob as a file of `directory`. A file whose name is not its number is unfinished. */
export function createFileBlobs(directory: string): Blobs {
  mkdirSync(directory, { recursive: true })
  const pathOf = (id: number) => join(directory, String(id))
  return {
    async write(id, source) {
      const unfinished = `${pathOf(id)}.part`
      try {
        const file = await open(unfinished, 'w')
        try {
          await writeAll(file, source)
        } finally {
          await file.close()
        }
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

/** Writes with as few calls as possible: chunks from a socket are small. */
const writeAll = (file: FileHandle, source: AsyncIterable<Uint8Array>): Promise<void> =>
  withPooledBuffer(async (memory) => {
    let filled = 0
    for await (const chunk of source) {
      for (let taken = 0; taken < chunk.length; ) {
        const more = chunk.subarray(taken, taken + memory.length - filled)
        memory.set(more, filled)
        filled += more.length
        taken += more.length
        if (filled < memory.length) break
        await write(file, memory)
        filled = 0
      }
    }
    await write(file, memory.subarray(0, filled))
  })

async function write(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten
}
