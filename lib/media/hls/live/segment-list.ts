import type { KeptRange, LiveSegment } from './live-segment.ts'

/** A list of segments that is read only: an array, or a packed list. */
export type SegmentList = Pick<readonly LiveSegment[], 'length' | 'at' | 'slice'>

/**
 * Segments at the end whose parts can still be requested: a minute. Playlists name the parts of three, but a player whose
 * connection broke first requests what an older playlist named, as Shaka Player does, and is slow on a busy machine.
 */
const SEGMENTS_WITH_PARTS = 30
/** Segments of a block: half an hour. */
const BLOCK = 900
/** Numbers of a segment: index of the file, offset, size, start and duration. */
const FIELDS = 5

/** Blocks of the newest segments: at least half an hour, which is more than a playlist without DVR names. */
const NEWEST_BLOCKS = 2

/**
 * Creates a list that packs its segments: 40 bytes each. Only the newest ones have their parts.
 * @param keeps `newest`: drops segments that are older than half an hour to an hour. Numbers stay the same. @default all
 */
export function createSegmentList(kept: readonly KeptRange[] = [], keeps: 'all' | 'newest' = 'all') {
  const blocks: Float64Array[] = []
  const files: string[] = []
  const withParts = new Map<number, LiveSegment['parts']>()
  let length = 0

  function push({ file, offset, size, start, duration }: KeptRange, parts?: LiveSegment['parts']): void {
    if (files.at(-1) !== file) files.push(file)
    if (length % BLOCK === 0) {
      blocks.push(new Float64Array(BLOCK * FIELDS))
      if (keeps === 'newest') delete blocks[blocks.length - 1 - NEWEST_BLOCKS]
    }
    blocks.at(-1)?.set([files.length - 1, offset, size, start, duration], (length % BLOCK) * FIELDS)
    if (parts) withParts.set(length, parts)
    withParts.delete(length - SEGMENTS_WITH_PARTS)
    length += 1
  }

  function at(index: number): LiveSegment | undefined {
    const number = index < 0 ? index + length : index
    if (number < 0 || number >= length) return undefined
    const block = blocks[Math.floor(number / BLOCK)]
    if (!block) return undefined
    const place = (number % BLOCK) * FIELDS
    const [file = 0, offset = 0, size = 0, start = 0, duration = 0] = block.subarray(place, place + FIELDS)
    return { file: files[file] ?? '', offset, size, start, duration, parts: withParts.get(number) ?? [] }
  }

  for (const range of kept) push(range)
  return {
    get length() {
      return length
    },
    at,
    slice(from = 0, to = length): LiveSegment[] {
      const end = Math.min(length, to)
      return Array.from({ length: Math.max(0, end - from) }, (_, index) => at(from + index) ?? []).flat()
    },
    push,
  }
}

/** Returns the first segments of a list that grows. They keep their numbers. */
export const headOf = (list: SegmentList, length: number): SegmentList => ({
  length,
  at: (index) => list.at(index < 0 ? index + length : index),
  slice: (from = 0, to = length) => list.slice(from, Math.min(to, length)),
})
