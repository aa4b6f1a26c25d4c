import type { EncodedPacketSink } from 'mediabunny'

/** What the order of a track's packets asks of its timeline, in seconds. */
export interface Reordering {
  /** When the first frame is shown. */
  readonly start: number
  /** How long a frame is decoded before its turn, so that none is shown before it is decoded. */
  readonly delay: number
}

/** An encoder orders alike from beginning to end, and every piece has to come to the same result from a glance at the index. */
const PACKETS_SEEN = 1000

export async function findReordering(sink: EncodedPacketSink): Promise<Reordering> {
  const seen: { time: number; isKey: boolean }[] = []
  for await (const { timestamp, type } of sink.packets(undefined, undefined, { metadataOnly: true })) {
    seen.push({ time: timestamp, isKey: type === 'key' })
    if (seen.length === PACKETS_SEEN) break
  }
  const slots = decodeSlots(seen)
  return {
    start: slots.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
    delay: seen.reduce((delay, { time }, index) => Math.max(delay, (slots[index] as number) - time), 0),
  }
}

/**
 * Gives each of a track's packets, in stored order, the time of the frame whose turn it is: within a GOP the n-th that is
 * stored gets the n-th time at which one is shown. The file's own decode times lie behind edit lists and offsets; these run
 * on from one piece into the next, whoever cuts it.
 */
export function decodeSlots(packets: readonly { readonly time: number; readonly isKey: boolean }[]): number[] {
  return packets.flatMap(({ isKey }, start) => {
    if (start > 0 && !isKey) return []
    let stop = start + 1
    while (stop < packets.length && !packets[stop]?.isKey) stop += 1
    return packets
      .slice(start, stop)
      .map(({ time }) => time)
      .sort((a, b) => a - b)
  })
}
