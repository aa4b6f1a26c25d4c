/** The packets of a track as an index lists them: 4 bytes for each and 8 for each change of duration. */
export type PacketTable = Readonly<ReturnType<typeof createPacketTable>>

export function createPacketTable() {
  let sizes = new Uint32Array(4096)
  const durations: { count: number; ticks: number }[] = []
  const total = { count: 0, bytes: 0, ticks: 0 }
  return {
    get count() {
      return total.count
    },
    /** Bytes of all packets. */
    get bytes() {
      return total.bytes
    },
    /** Ticks of all packets. */
    get ticks() {
      return total.ticks
    },
    /** In bytes; `count` of them. */
    get sizes() {
      return sizes.subarray(0, total.count)
    },
    /** Runs of packets of equal duration. */
    durations,
    add(size: number, ticks: number) {
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
