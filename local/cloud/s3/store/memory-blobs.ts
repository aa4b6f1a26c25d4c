import type { Blobs } from './blobs.ts'

export function createMemoryBlobs(): Blobs {
  const blobs = new Map<number, Uint8Array[]>()
  return {
    async write(id, source) {
      const chunks: Uint8Array[] = []
      for await (const chunk of source) chunks.push(new Uint8Array(chunk)) // `slice` of a Buffer would keep all of its memory
      blobs.set(id, chunks)
    },
    async *read(id, start, length) {
      let from = start
      let left = length
      for (const chunk of blobs.get(id) ?? []) {
        if (left === 0) break
        const piece = chunk.subarray(from, from + left)
        from = Math.max(0, from - chunk.length)
        left -= piece.length
        if (piece.length > 0) yield piece
      }
      if (left > 0) throw new Error(`Blob ${id} ends ${left} bytes before ${start + length}.`)
    },
    remove: (id) => blobs.delete(id),
    sweep() {},
  }
}
