import type { ByteSource } from '../byte-source.ts'

/**
 * Bytes of a block. S3 answers after about 30 ms and then delivers 80 MB per second, so that a gap of 2.4 MB is as fast
 * to read as to skip. Gaps between the audio packets of a recording are a hundred times smaller: reading all of it
 * beats one read per packet.
 */
const BLOCK = 4 * 2 ** 20
/** Blocks in memory: the current one, the one before (packets may span two), and two that are being fetched. */
const KEPT = 4
const AHEAD = 2

/**
 * Turns many small forward reads into a few large ones. Reads whole blocks, and fetches the next two ahead after two in
 * a row were wanted. Skips blocks in which nothing is wanted. Holds 16 MiB at most, besides the results.
 */
export function readInBlocks(source: ByteSource): ByteSource {
  const blocks = new Map<number, Promise<Uint8Array>>()
  let latest = -1
  const fetchBlock = (number: number) => {
    const known = blocks.get(number)
    if (known) return known
    const fetched = source.read(number * BLOCK, Math.min((number + 1) * BLOCK, source.size))
    fetched.catch(() => blocks.delete(number)) // the reader gets the error; a further read asks the source again
    blocks.set(number, fetched)
    if (blocks.size > KEPT) blocks.delete(blocks.keys().next().value as number)
    return fetched
  }
  const take = (number: number) => {
    const wanted = fetchBlock(number)
    if (number === latest + 1) {
      for (let next = number + 1; next <= number + AHEAD && next * BLOCK < source.size; next++) fetchBlock(next)
    }
    latest = number
    return wanted
  }
  return {
    size: source.size,
    async read(start, end) {
      const parts: Uint8Array[] = []
      for (let at = start; at < end; ) {
        const number = Math.floor(at / BLOCK)
        const until = Math.min(end, (number + 1) * BLOCK)
        const block = await take(number)
        parts.push(block.subarray(at - number * BLOCK, until - number * BLOCK))
        at = until
      }
      return parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts)
    },
  }
}
