/** The packets of a track as an index lists them: 4 bytes for each and 8 for each change of duration. */
export interface PacketTable {
  readonly count: number
  /** Bytes of all packets. */
  readonly bytes: number
  /** Ticks of all packets. */
  readonly ticks: number
  /** In bytes; `count` of them. */
  readonly sizes: Uint32Array
  /** Runs of packets of equal duration. */
  readonly durations: readonly { count: number; ticks: number }[]
  add(size: number, ticks: number): void
}

export function createPacketTable(): PacketTable {
  let sizes = new Uint32Array(4096)
  const durations: { count: number; ticks: number }[] = []
  const total = { count: 0, bytes: 0, ticks: 0 }
  return {
    get count() {
      return total.count
    },
    get bytes() {
      return total.bytes
    },
    get ticks() {
      return total.ticks
    },
    get sizes() {
      return sizes.subarray(0, total.count)
    },
    durations,
    add(size, ticks) {
      if (total.count === sizes.length) {
        const larger = new Uint32Array(sizes.length * 2)
        larger.set(sizes)
        sizes = larger
      }
      sizes[total.count] = size
      total.count += 1
      total.bytes += size
      total.ticks += ticks
      const last = durations.at(-1)
      if (last?.ticks === ticks) last.count += 1
      else durations.push({ count: 1, ticks })
    },
  }
}
