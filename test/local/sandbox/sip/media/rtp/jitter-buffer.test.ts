import { describe, expect, it } from 'vitest'
import { createCodec } from '../../../../../../local/sandbox/sip/media/codecs/create-codec.ts'
import { createJitterBuffer } from '../../../../../../local/sandbox/sip/media/rtp/jitter-buffer.ts'
import { joined, peakOf, toneAt } from '../../../../../support/media/tones.ts'

const BLOCK = 960

/**
 * Plays a tone of 1 kHz through a buffer. `delayOf` returns the delay of a packet, undefined for a lost one. Twice
 * a second, as many blocks as `stall` says are taken at once, after the packets that have arrived meanwhile.
 */
async function play(delayOf: (index: number) => number | undefined, { count = 120, clock = 1, stall = 1 } = {}) {
  const codec = await createCodec('PCMU/8000')
  const buffer = createJitterBuffer(codec)
  const sender = await createCodec('PCMU/8000')
  const arrivals = Array.from({ length: count }, (_, index) => {
    const payload = sender.encode(toneAt(1_000, BLOCK, { start: index * BLOCK }))
    const packet = { payloadType: 0, marker: index === 0, sequence: (65_500 + index) & 0xffff, ssrc: 1, payload }
    const delay = delayOf(index)
    const timestamp = (2 ** 32 - 8_000 + 160 * index) >>> 0
    return { packet: { ...packet, timestamp }, at: delay === undefined ? Infinity : index * 20 * clock + delay }
  }).toSorted((a, b) => a.at - b.at)
  const blocks: (Int16Array | undefined)[] = []
  for (let now = 0; now < count * 20; now += 20) {
    const late = ((now / 20 + 15) % 25) + 1
    const due = now + Math.max(0, stall - late) * 20
    while (arrivals[0] && arrivals[0].at <= due) buffer.push((arrivals.shift() as (typeof arrivals)[0]).packet)
    blocks.push(buffer.take())
  }
  const first = blocks.findIndex((block) => block !== undefined)
  const heard = joined(blocks.slice(first + 3).map((block) => block ?? new Int16Array(BLOCK)))
  return { buffer, first, heard }
}

describe('createJitterBuffer', () => {
  it('plays an even stream whole, past the end of the numbers, with little delay', async () => {
    const { buffer, first, heard } = await play(() => 1)
    expect(first).toBeLessThanOrEqual(3)
    expect(buffer.concealed).toBe(0)
    expect(peakOf(heard, 1_000)).toBeGreaterThan(7_500)
  })
  it('measures the variation of the delay, and plays without gaps at that depth', async () => {
    const { buffer, heard } = await play((index) => (index * 37) % 61)
    expect(buffer.depth).toBeGreaterThan(45)
    expect(buffer.depth).toBeLessThan(90)
    expect(peakOf(heard.subarray(-48_000), 1_000)).toBeGreaterThan(7_000)
  })
  it('needs no more depth when its own process was delayed', async () => {
    const { buffer, heard } = await play(() => 1, { stall: 5 })
    expect(buffer.depth).toBe(20)
    expect(buffer.concealed).toBe(0)
    expect(peakOf(heard, 1_000)).toBeGreaterThan(7_500)
  })
  it('needs no more depth after one gap, whose packets arrive together', async () => {
    const { buffer } = await play((index) => (index >= 70 && index < 85 ? (85 - index) * 20 : 1))
    expect(buffer.depth).toBe(20)
  })
  it('has the depth of before when blocks were skipped, and plays what follows', async () => {
    const codec = await createCodec('PCMU/8000')
    const buffer = createJitterBuffer(codec)
    const push = (from: number, to: number) => {
      for (let index = from; index < to; index++) {
        const payload = codec.encode(toneAt(index < 80 ? 500 : 1_000, BLOCK, { start: index * BLOCK }))
        buffer.push({ payloadType: 0, marker: false, sequence: index, timestamp: 160 * index, ssrc: 1, payload })
      }
    }
    for (let index = 0; index < 50; index++) {
      push(index, index + 1)
      buffer.take()
    }
    push(50, 90)
    buffer.skip(39)
    const blocks = Array.from({ length: 20 }, (_, index) => {
      const block = buffer.take()
      push(90 + index, 91 + index)
      return block ?? new Int16Array(BLOCK)
    })
    const heard = joined(blocks.slice(3))
    expect(buffer.depth).toBe(20)
    expect(peakOf(heard, 1_000)).toBeGreaterThan(7_500)
    expect(peakOf(heard, 500)).toBeLessThan(100)
  })
  it('orders packets that overtook each other', async () => {
    const { buffer, heard } = await play((index) => (index % 10 === 5 ? 24 : 2))
    expect(buffer.concealed).toBeLessThanOrEqual(40)
    expect(peakOf(heard.subarray(-48_000), 1_000)).toBeGreaterThan(7_500)
  })
  it('conceals every tenth packet', async () => {
    const { buffer, heard } = await play((index) => (index % 10 === 9 ? undefined : 1))
    expect(buffer.concealed).toBeGreaterThanOrEqual(11 * 20)
    expect(peakOf(heard, 1_000)).toBeGreaterThan(5_000)
  })
  it('is silent in a pause, and plays again after it', async () => {
    const { heard } = await play((index) => (index > 20 && index < 60 ? undefined : 1))
    expect(peakOf(heard.subarray(BLOCK * 30, BLOCK * 50), 1_000)).toBe(0)
    expect(peakOf(heard.subarray(-BLOCK * 40), 1_000)).toBeGreaterThan(7_500)
  })
  it('follows a sender whose clock is faster', async () => {
    const { heard, first } = await play(() => 1, { count: 600, clock: 0.98 })
    expect(first).toBeLessThanOrEqual(3)
    // A slipped block may cancel a window: most of them are whole.
    const windows = Array.from({ length: 50 }, (_, index) =>
      peakOf(heard.subarray(index * BLOCK * 10, index * BLOCK * 10 + BLOCK), 1_000),
    )
    expect(windows.filter((peak) => peak > 7_000).length).toBeGreaterThan(44)
  })
})
