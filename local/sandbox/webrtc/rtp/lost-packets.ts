/** Milliseconds after which a gap is a loss: until then, packets may be late. */
const REORDERING = 10
/** Milliseconds between two requests for one packet, longer than the round trip of a local network. */
const RETRY = 50
/** Requests for one packet. After 400 ms, recordings and players no longer wait for it. */
const MAX_REQUESTS = 8
/** Packets that are missing at once. A longer gap is not requested: a keyframe repairs it. */
const MAX_MISSING = 200

/** The packets of one stream of RTP (one SSRC) that are missing. */
export interface LostPackets {
  /** Records a packet, also one that was sent again. @param now milliseconds */
  arrived(sequence: number, now: number): void
  /** Returns the sequence numbers to request now, in their order, and counts the requests. */
  due(now: number): number[]
  /** Packets that may still be requested. */
  readonly count: number
}

export function createLostPackets(): LostPackets {
  /** By their numbers, which continue beyond 65535. */
  const missing = new Map<number, { dueAt: number; requests: number }>()
  let last: number | undefined

  return {
    get count() {
      return missing.size
    },
    arrived(sequence, now) {
      if (last === undefined) {
        last = sequence
        return
      }
      const number = last + (((sequence - last) << 16) >> 16)
      if (number <= last) {
        missing.delete(number)
        return
      }
      if (number - last > MAX_MISSING) missing.clear()
      else for (let lost = last + 1; lost < number; lost++) missing.set(lost, { dueAt: now + REORDERING, requests: 0 })
      last = number
      for (const oldest of missing.keys()) {
        if (missing.size <= MAX_MISSING) break
        missing.delete(oldest)
      }
    },
    due(now) {
      const due: number[] = []
      for (const [number, one] of missing) {
        if (one.dueAt > now) continue
        if (one.requests === MAX_REQUESTS) missing.delete(number)
        else {
          due.push(number & 0xffff)
          one.requests++
          one.dueAt = now + RETRY
        }
      }
      return due
    },
  }
}
