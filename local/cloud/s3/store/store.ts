import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Blobs } from './blobs.ts'
import { createFileBlobs } from './file-blobs.ts'
import { createMemoryBlobs } from './memory-blobs.ts'
import { type Extent, openRecords } from './records.ts'

/** Bytes that stay readable until they are released, even if their object changes. */
export interface Held {
  readonly extents: Extent[]
  /** @param memory as in `Blobs.read` */
  bytes(memory?: Uint8Array): AsyncGenerator<Uint8Array>
  release(): void
}

/** Records and bytes. A blob lives as long as a record or a reader needs it. */
export type ObjectStore = ReturnType<typeof openStore>

/** Opens the store in a directory, which is created if it is missing, or in memory. */
export function openStore(directory: string | undefined) {
  if (directory) mkdirSync(directory, { recursive: true })
  const records = openRecords(directory ? join(directory, 'index.sqlite') : ':memory:')
  const blobs: Blobs = directory ? createFileBlobs(join(directory, 'blobs')) : createMemoryBlobs()
  blobs.sweep(records.isUsed)
  const holders = new Map<number, number>()
  let isOpen = true

  const settle = (blob: number) => {
    if (isOpen && !holders.has(blob) && !records.isUsed(blob)) blobs.remove(blob)
  }
  /** Yields the bytes of one extent that is held. */
  const read = ({ blob, start, length }: Extent, memory?: Uint8Array) => blobs.read(blob, start, length, memory)
  const holding = (extents: Extent[]): Held => {
    for (const { blob } of extents) holders.set(blob, (holders.get(blob) ?? 0) + 1)
    let held = true
    return {
      extents,
      async *bytes(memory) {
        for (const extent of extents) yield* read(extent, memory)
      },
      release() {
        if (!held) return
        held = false
        for (const { blob } of extents) {
          const others = (holders.get(blob) ?? 0) - 1
          if (others > 0) holders.set(blob, others)
          else holders.delete(blob)
          settle(blob)
        }
      },
    }
  }

  /** Holds bytes `start` up to `end` (exclusive) of an object or part. */
  const hold = (owner: number, start?: number, end?: number) => holding(records.extents(owner, start, end))

  return {
    records,
    /** Stores new bytes. On release, bytes without a record are deleted. */
    async receive(source: AsyncIterable<Uint8Array>): Promise<Held> {
      const blob = records.nextNumber()
      let length = 0
      const counted = async function* () {
        for await (const chunk of source) {
          length += chunk.length
          yield chunk
        }
      }
      await blobs.write(blob, counted())
      if (length > 0) return holding([{ blob, start: 0, length }])
      blobs.remove(blob)
      return holding([])
    },
    hold,
    read,
    /** Runs a transaction that may remove `losers`, and deletes bytes that are no longer needed. */
    change<T>(losers: { id: number }[], act: () => T): T {
      const held = losers.map(({ id }) => hold(id))
      try {
        return records.transaction(act)
      } finally {
        for (const each of held) each.release()
      }
    },
    close(): void {
      isOpen = false
      records.close()
    },
  }
}
