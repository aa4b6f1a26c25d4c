import type { ByteSource } from '../../byte-source.ts'

/** Bytes: a few of them hold what an index has beside its tables. */
const BLOCK = 64 * 2 ** 10
const KEPT = 8

/**
 * Serves small reads from blocks that are kept for a while, since boxes are close together; large reads pass through.
 */
export function readInBlocks(source: ByteSource): ByteSource {
  const blocks = new Map<number, Promise<Uint8Array>>()
  const blockAt = (number: number) => {
    const known = blocks.get(number)
    if (known) return known
    const fetched = source.read(number * BLOCK, Math.min(source.size, (number + 1) * BLOCK))
    fetched.catch(() => blocks.delete(number))
    blocks.set(number, fetched)
    if (blocks.size > KEPT) blocks.delete(blocks.keys().next().value as number)
    return fetched
  }
  return {
    size: source.size,
    async read(start, end) {
      if (end - start > BLOCK) return source.read(start, end)
      const first = Math.floor(start / BLOCK)
      const last = Math.floor((end - 1) / BLOCK)
      if (end <= start) return new Uint8Array()
      const head = await blockAt(first)
      if (first === last) return head.subarray(start - first * BLOCK, end - first * BLOCK)
      const tail = await blockAt(last)
      return Buffer.concat([head.subarray(start - first * BLOCK), tail.subarray(0, end - last * BLOCK)])
    },
  }
}
