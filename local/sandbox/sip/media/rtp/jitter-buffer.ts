import { BLOCK_MS, SAMPLES_PER_BLOCK, SAMPLES_PER_MS } from '../block.ts'
import type { Codec } from '../codecs/codec.ts'
import { createSampleQueue } from '../sample-queue.ts'
import { createSpareAudio } from '../spare-audio.ts'
import type { RtpPacket } from './rtp-packet.ts'

/** Orders the packets of a call, and plays them at an even pace. */
export interface JitterBuffer {
  /** Takes a packet. One without a payload is silent: it stands for a packet that is not audio. */
  push(packet: RtpPacket): void
  /** Returns the next block; undefined while there is nothing to play. Called once each 20 ms. */
  take(): Int16Array | undefined
  /** Leaves out blocks that were not taken in time, without decoding them. */
  skip(blocks: number): void
  /** Milliseconds that packets wait, as the variation of their delay demands. */
  readonly depth: number
  /** Milliseconds of audio that were concealed. */
  readonly concealed: number
}

type Decoder = Pick<Codec, 'clockRate' | 'decode' | 'conceal'>

/** Bounds of the depth, in milliseconds, and what it is longer than the measured variation. */
const MIN_DEPTH = 20
const MAX_DEPTH = 200
const RESERVE = 10
/** Shares of the arrivals that have at most the delay which counts as late, and of the packets with the usual one. */
const LATE = 0.98
const USUAL = 0.25
/** Packets by which the variation is measured: two seconds. It is evaluated with each tenth. */
const MEASURED = 100
const EVALUATED = 10
/** Blocks without a packet after which it is measured again: a second. */
const MAX_PAUSE = 50
/** Milliseconds that are concealed at a stretch. After that, there is silence. */
const MAX_CONCEALED = 60
/** Packets that are held at most. A sequence number farther ahead begins a new stream. */
const MAX_HELD = 100

/**
 * Creates the buffer of one call. Its clock counts the blocks that were taken. So a delay of this process is not mistaken for
 * variation of the packets: afterwards it receives and takes at once what is due.
 */
export function createJitterBuffer(decoder: Decoder): JitterBuffer {
  const held = new Map<number, RtpPacket>()
  /** Of the packets, and of the latest packet in each block in which any arrived. */
  const delays: number[] = []
  const latest: number[] = []
  let ssrc: number | undefined
  let next: number | undefined
  /** Timestamp after the last decoded packet, and the samples at 48 kHz of the last one. */
  let expected = 0
  let packetSamples = SAMPLES_PER_BLOCK
  const ready = createSampleQueue()
  let isPlaying = false
  let lostInARow = 0
  let concealed = 0
  let depth = MIN_DEPTH
  let measured = 0
  let place = 0
  let lastTimestamp = 0
  let lastTaken = 0
  /** Blocks that were taken, also in silence. */
  let taken = 0
  const spareAudio = createSpareAudio()

  const toTicks = (samples: number) => Math.round((samples * decoder.clockRate) / 48_000)
  const toSamples = (ticks: number) => Math.round((ticks * 48_000) / decoder.clockRate)
  const waiting = () => (ready.length + held.size * packetSamples) / SAMPLES_PER_MS
  const forget = () => {
    delays.length = 0
    latest.length = 0
  }
  function reset(packet: RtpPacket): void {
    held.clear()
    forget()
    ssrc = packet.ssrc
    next = undefined
    isPlaying = false
  }
  /**
   * Compares with what most packets have. Those that are early waited for this process. Packets that arrive together count once as
   * late: otherwise a single gap of the network would delay all that follows by its length.
   */
  function measure(packet: RtpPacket): void {
    if (taken - lastTaken > MAX_PAUSE) forget()
    const isTogether = taken === lastTaken && latest.length > 0
    place += delays.length === 0 ? 0 : (packet.timestamp - lastTimestamp) | 0
    ;[lastTaken, lastTimestamp] = [taken, packet.timestamp]
    const delay = taken * BLOCK_MS - (place * 1000) / decoder.clockRate
    delays.push(delay)
    latest.push(isTogether ? Math.max(delay, latest.pop() as number) : delay)
    for (const measures of [delays, latest]) if (measures.length > MEASURED) measures.shift()
    if (++measured % EVALUATED !== 0) return
    const variation = atShare(latest, LATE) - atShare(delays, USUAL)
    depth = Math.min(MAX_DEPTH, Math.max(MIN_DEPTH, variation + RESERVE))
  }
  function conceal(samples: number): void {
    const audible = Math.min(samples, MAX_CONCEALED * SAMPLES_PER_MS - lostInARow)
    lostInARow += samples
    concealed += samples / SAMPLES_PER_MS
    if (audible > 0) ready.add(decoder.conceal(audible))
    if (samples > audible) ready.addSilence(samples - Math.max(0, audible))
  }
  function decode(packet: RtpPacket): void {
    try {
      if (packet.payload.length === 0) ready.addSilence(packetSamples)
      else {
        const samples = decoder.decode(packet.payload)
        packetSamples = samples.length || packetSamples
        ready.add(samples)
      }
      lostInARow = 0
    } catch {
      conceal(packetSamples)
    }
    expected = (packet.timestamp + toTicks(packetSamples)) >>> 0
  }
  /** Decodes the next packet, or conceals what is missing before it. Returns false if there is no packet. */
  function advance(): boolean {
    if (held.size === 0) return false
    const packet = held.get(next as number)
    if (packet) {
      held.delete(next as number)
      const pause = toSamples((packet.timestamp - expected) | 0)
      const isPause = pause > packetSamples && !packet.marker && pause < MAX_DEPTH * SAMPLES_PER_MS
      if (isPause) ready.addSilence(pause) // the sender was silent: discontinuous transmission
      decode(packet)
      next = ((next as number) + 1) & 0xffff
      return true
    }
    conceal(packetSamples)
    expected = (expected + toTicks(packetSamples)) >>> 0
    next = ((next as number) + 1) & 0xffff
    return true
  }
  function trim(): void {
    for (let spare = spareAudio.note(waiting(), depth); spare > 0; spare -= BLOCK_MS) {
      while (ready.length < SAMPLES_PER_BLOCK && advance()) {}
      ready.drop(SAMPLES_PER_BLOCK)
    }
  }

  return {
    get depth() {
      return depth
    },
    get concealed() {
      return concealed
    },
    push(packet) {
      if (packet.ssrc !== ssrc) reset(packet)
      const ahead = next === undefined ? 0 : ((packet.sequence - next + 0x8000) & 0xffff) - 0x8000
      if (Math.abs(ahead) > MAX_HELD) reset(packet)
      else if (ahead < 0 && isPlaying) return // too late: it was concealed
      measure(packet)
      if (next === undefined || (!isPlaying && ahead < 0)) {
        next = packet.sequence
        expected = packet.timestamp
      }
      held.set(packet.sequence, packet)
    },
    take() {
      taken++
      if (!isPlaying) {
        if (held.size === 0 || waiting() < depth + BLOCK_MS) return undefined
        isPlaying = true
        spareAudio.reset()
        const first = held.get(next as number)
        if (first) expected = first.timestamp
      }
      while (ready.length < SAMPLES_PER_BLOCK && advance()) {}
      if (ready.length < SAMPLES_PER_BLOCK) {
        if (lostInARow >= MAX_CONCEALED * SAMPLES_PER_MS) {
          isPlaying = false
          lostInARow = 0
          next = undefined
        } else conceal(SAMPLES_PER_BLOCK - ready.length)
      }
      if (ready.length === 0) return undefined
      const block = ready.take(SAMPLES_PER_BLOCK)
      trim()
      return block
    },
    skip(blocks) {
      taken += blocks
      forget() // packets that waited for this process look early
      if (!isPlaying) return
      const samples = blocks * SAMPLES_PER_BLOCK
      let left = samples - ready.length
      ready.drop(samples)
      for (; left > 0 && held.size > 0; left -= packetSamples) {
        const from = held.get(next as number)?.timestamp ?? expected
        held.delete(next as number)
        expected = (from + toTicks(packetSamples)) >>> 0
        next = ((next as number) + 1) & 0xffff
      }
    },
  }
}

const atShare = (measures: readonly number[], share: number) =>
  measures.toSorted((a, b) => a - b)[Math.floor(measures.length * share)] as number
