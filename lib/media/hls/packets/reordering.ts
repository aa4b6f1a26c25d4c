/** The effect of a track's packet order on its timeline, in ticks. */
export interface Reordering {
  /** Time at which the first frame is shown. */
  readonly start: number
  /** Time by which frames are decoded before their slot, so that each is decoded before it is shown. */
  readonly delay: number
}

interface Stored {
  readonly time: number
  readonly isKey: boolean
}

/** Packets examined. Every piece must compute the same result from a small part of the index. */
export const PACKETS_SEEN = 1000

/** Finds the reordering of a track. @param seen up to PACKETS_SEEN of the first packets */
export function findReordering(seen: readonly Stored[]): Reordering {
  const slots = decodeSlots(seen)
  return {
    start: slots.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
    delay: seen.reduce((delay, { time }, index) => Math.max(delay, (slots[index] as number) - time), 0),
  }
}

/**
 * Returns the slot of each packet in stored order: within a GOP the n-th stored packet gets the n-th time at which a
 * frame is shown. The file's own decode times depend on edit lists and offsets; slots continue from one piece to the
 * next, for every way of cutting.
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
