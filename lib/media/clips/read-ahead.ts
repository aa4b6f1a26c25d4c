import type { PublishedTrack } from '../joining/published-track.ts'

/** A stored object, or a range of one. */
export interface ListedRange {
  readonly uri: string
  readonly range?: Parameters<PublishedTrack['read']>[1]
}

/** Objects behind the requested one that are read meanwhile: a request takes longer than its bytes. */
const AHEAD = 6
/** Bytes that are kept, which is a minute of most recordings. */
const MAX_KEPT = 64 * 2 ** 20

/**
 * Wraps a reader of objects. A request also begins to read what its list has next, and what was read last is kept: a clip reads its
 * segments for each track, first their index and then their media.
 * @param lists in the order in which each is read
 */
export function readAhead<Bytes extends Uint8Array>(
  read: (uri: string, range?: ListedRange['range']) => Promise<Bytes>,
  lists: readonly (readonly ListedRange[])[],
): typeof read {
  const next = new Map<string, readonly ListedRange[]>()
  for (const list of lists)
    for (const [index, one] of list.entries()) next.set(nameOf(one), list.slice(index + 1, index + 1 + AHEAD))
  const kept = new Map<string, { readonly bytes: Promise<Bytes>; size: number }>()
  let total = 0

  function begin({ uri, range }: ListedRange): Promise<Bytes> {
    const name = nameOf({ uri, range })
    const found = kept.get(name) ?? { bytes: read(uri, range), size: 0 }
    if (!kept.has(name)) found.bytes.then(({ length }) => keep(name, length)).catch(() => kept.delete(name))
    kept.delete(name)
    kept.set(name, found) // the latest one is the last
    return found.bytes
  }

  function keep(name: string, size: number): void {
    const entry = kept.get(name)
    if (entry) entry.size = size
    total += size
    for (const [oldest, { size: freed }] of kept) {
      if (total <= MAX_KEPT) return
      if (freed === 0) continue // is being read
      kept.delete(oldest)
      total -= freed
    }
  }

  return (uri, range) => {
    const bytes = begin({ uri, range })
    for (const one of next.get(nameOf({ uri, range })) ?? []) begin(one)
    return bytes
  }
}

const nameOf = ({ uri, range }: ListedRange) => `${uri} ${range?.offset ?? ''}`
