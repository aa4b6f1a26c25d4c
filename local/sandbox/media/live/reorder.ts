import type { LivePacket } from './packets.ts'

/** Milliseconds that a missing packet is waited for: NACK and RTX bring it within a few round trips. */
const MAX_WAIT = 150
/** Milliseconds without a packet after which the sequence begins again. */
const MAX_PAUSE = 5_000
/** Packets that are held meanwhile. */
const MAX_HELD = 512

/** Passes packets on in the order of their sequence numbers, each once. `onLoss` is called before the packet that follows a gap. */
export function createReorder(
  onPacket: (packet: LivePacket) => void,
  onLoss: () => void,
): (packet: LivePacket) => void {
  let next: number | undefined
  let lastAt = -Infinity
  const held = new Map<number, LivePacket>()

  const release = () => {
    for (let packet = held.get(next as number); packet; packet = held.get(next as number)) {
      held.delete(next as number)
      next = ((next as number) + 1) & 0xffff
      onPacket(packet)
    }
  }
  return (packet) => {
    if (packet.at - lastAt > MAX_PAUSE) {
      held.clear()
      next = packet.sequence
      onLoss()
    }
    lastAt = packet.at
    next ??= packet.sequence
    const distance = (packet.sequence - next) & 0xffff
    if (distance >= 0x8000) return // late or a duplicate
    held.set(packet.sequence, packet)
    release()
    const [first] = held.values()
    if (!first || (packet.at - first.at < MAX_WAIT && held.size < MAX_HELD)) return
    onLoss()
    const from = next
    next = [...held.keys()].reduce((a, b) => (((a - from) & 0xffff) < ((b - from) & 0xffff) ? a : b))
    release()
  }
}
