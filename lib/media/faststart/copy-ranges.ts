import type { ByteSource } from '../byte-source.ts'

/** Bytes from `start` up to, not including, `end`. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** A part of a new file: given bytes, or a range of the source file. */
export type Part = { readonly bytes: Buffer } | Range

/**
 * Limits of multipart uploads: all parts but the last have at least 5 MiB and none more than 5 GiB, and there are at
 * most 10,000 (Amazon S3 user guide, "Multipart upload limits").
 */
const MIN_PART = 5 * 2 ** 20
const MAX_PARTS = 10_000
/**
 * Bytes of a copied part: a copy takes a second or two, several side by side. Larger only where there would be too many
 * parts.
 */
const COPIED_PART = 64 * 2 ** 20

/**
 * Divides a file made of given bytes and two ranges behind them into parts. The first part has the bytes and, up to 5
 * MiB, the media after them: that uploads as much as padding would, and keeps the media next to the index. So a file
 * below 5 MiB is one part.
 */
export async function divideIntoParts(source: ByteSource, head: Buffer, behind: readonly Range[]): Promise<Part[]> {
  const ranges = behind.filter(({ start, end }) => start < end)
  const first = [head]
  let missing = MIN_PART - head.length
  const copied: Range[] = []
  for (const [index, { start, end }] of ranges.entries()) {
    const isLast = index === ranges.length - 1
    const cut = Math.min(end, start + Math.max(0, missing))
    const taken = !isLast && end - cut < MIN_PART ? end : cut // a range too small to be copied joins the first part
    if (taken > start) first.push(Buffer.from(await source.read(start, taken)))
    missing -= taken - start
    if (taken < end) copied.push({ start: taken, end })
  }
  const total = copied.reduce((sum, { start, end }) => sum + end - start, 0)
  const most = Math.max(COPIED_PART, Math.ceil(total / (MAX_PARTS - 1 - ranges.length)))
  return [{ bytes: Buffer.concat(first) }, ...copied.flatMap((range) => divideEvenly(range, most))]
}

function divideEvenly({ start, end }: Range, most: number): Range[] {
  const count = Math.ceil((end - start) / most)
  const size = Math.ceil((end - start) / count)
  return Array.from({ length: count }, (_, n) => ({
    start: start + n * size,
    end: Math.min(end, start + (n + 1) * size),
  }))
}
