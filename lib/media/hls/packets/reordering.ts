/** What the order of a track's packets asks of its timeline, in ticks. */
export interface Reordering {
  /** When the first frame is shown. */
  readonly start: number
  /** How long a frame is decoded before its turn, so that none is shown before it is decoded. */
  readonly delay: number
}

/** A packet in stored order. */
interface Stored {
  readonly time: number
  readonly isKey: boolean
}

/** An encoder orders alike from beginning to end, and every piece has to come to the same result from a glance at the index. */
export const PACKETS_SEEN = 1000

/** @param seen up to PACKETS_SEEN of the first packets */
export function findReordering(seen: readonly Stored[]): Reordering {
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
export function decodeSlots(packets: readonly Stored[]): number[] {
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
