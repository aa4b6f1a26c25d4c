import { describe, expect, it } from 'vitest'
import { RtpHeader, RtpPacket } from 'werift'
import type { Size } from '../../../../../local/sandbox/media/composing/picture.ts'
import { vp8Indices } from '../../../../../local/sandbox/media/live/vp8.ts'
import { chooseLayer, createLayerSwitch, type Layer } from '../../../../../local/sandbox/webrtc/layers/layer-switch.ts'

interface Sent extends Layer {
  size: Size | undefined
  arrivedAt: number
  requests: number
}

const layerOf = (width: number, height: number): Sent => ({
  size: { width, height },
  arrivedAt: 0,
  requests: 0,
  requestKeyframe() {
    this.requests++
  },
})
const [low, middle, high] = [layerOf(320, 180), layerOf(640, 360), layerOf(1280, 720)]

describe('chooseLayer', () => {
  const layers = [high, low, middle]
  it.each([
    ['the largest by default', undefined, high],
    ['the smallest that fills the size', { width: 320, height: 180 }, low],
    ['the next larger one for a size between two', { width: 322, height: 180 }, middle],
    ['the largest for a size that none fills', { width: 1920, height: 1080 }, high],
  ])('returns %s', (_, wanted, layer) => expect(chooseLayer(layers, wanted, 500)).toBe(layer))

  it('leaves out layers that no longer arrive or never had a keyframe', () => {
    const [silent, unknown] = [
      { ...high, arrivedAt: -600 },
      { ...middle, size: undefined },
    ]
    expect(chooseLayer([silent, unknown, low], undefined, 500)).toBe(low)
    expect(chooseLayer([unknown], undefined, 0)).toBeUndefined()
  })
})

describe('createLayerSwitch', () => {
  /** A packet of VP8 with a picture id of 15 bits and the index of its base layer. */
  function packetOf(sequenceNumber: number, timestamp: number, pictureId: number, baseIndex: number): RtpPacket {
    const descriptor = [0x90, 0xe0, 0x80 | (pictureId >> 8), pictureId & 0xff, baseIndex, 0]
    return new RtpPacket(new RtpHeader({ sequenceNumber, timestamp }), Buffer.from([...descriptor, 1, 2, 3]))
  }
  const shown = (packet: RtpPacket | undefined) =>
    packet && {
      sequence: packet.header.sequenceNumber,
      timestamp: packet.header.timestamp,
      ...vp8Indices(packet.payload),
      data: [...packet.payload.subarray(6)],
    }

  it('switches with a keyframe that it requests, and continues every counter', () => {
    let time = 1_000
    let wanted: Size | undefined = { width: 320, height: 180 }
    const [small, large] = [layerOf(320, 180), layerOf(1280, 720)]
    for (const layer of [small, large]) layer.arrivedAt = time
    const { take, translate } = createLayerSwitch(
      'VP8',
      () => [small, large],
      () => wanted,
      () => time,
    )

    expect(take(small, packetOf(65_535, 2 ** 32 - 1, 0x7fff, 255), false)).toBeUndefined()
    expect(small.requests).toBe(1)
    const first = take(small, packetOf(65_535, 2 ** 32 - 1, 0x7fff, 255), true)
    expect(shown(first)).toMatchObject({ sequence: 65_535, pictureId: 0x7fff, baseIndex: 255 })
    expect(take(large, packetOf(7, 70, 1, 1), true)).toBeUndefined()

    wanted = undefined
    time += 100
    expect(take(large, packetOf(8, 80, 2, 2), false)).toBeUndefined()
    expect(large.requests).toBe(1)
    expect(translate(large, { kind: 'video', timestamp: 80, senderTime: 5 })).toBeUndefined()
    const next = take(large, packetOf(9, 90, 3, 3), true)
    expect(shown(next)).toEqual({ sequence: 0, timestamp: 8_999, pictureId: 0, baseIndex: 0, data: [1, 2, 3] })
    expect(take(small, packetOf(0, 0, 0, 0), true)).toBeUndefined()
    expect(take(large, packetOf(8, 80, 2, 2), false)).toBeUndefined() // it precedes the keyframe
    expect(shown(take(large, packetOf(10, 3_090, 4, 3), false))).toMatchObject({
      ...{ sequence: 1, timestamp: 11_999, pictureId: 1, baseIndex: 0 },
    })
    expect(translate(large, { kind: 'video', timestamp: 90, senderTime: 5 })?.timestamp).toBe(8_999)
  })

  describe('leaves out padding', () => {
    /** Takes packets of one layer in the order of their arrival, and returns the numbers that a receiver gets. */
    function numbersOf(...arriving: readonly (number | 'padding')[][]): (number | undefined)[] {
      const only = layerOf(320, 180)
      const { take } = createLayerSwitch(
        'VP8',
        () => [only],
        () => undefined,
        () => 0,
      )
      return arriving.map(([number, padding], index) => {
        const header = new RtpHeader({ sequenceNumber: Number(number) & 0xffff })
        const packet = padding ? new RtpPacket(header, Buffer.alloc(0)) : packetOf(Number(number) & 0xffff, 1, 1, 1)
        return take(only, packet, index === 0)?.header.sequenceNumber
      })
    }

    it('without a gap', () => {
      expect(numbersOf([10], [11, 'padding'], [12])).toEqual([10, undefined, 11])
      expect(numbersOf([65_534], [65_535, 'padding'], [0, 'padding'], [1])).toEqual([
        ...[65_534, undefined, undefined, 65_535],
      ])
    })

    it('where packets of the time before it are sent again', () => {
      expect(numbersOf([10], [12, 'padding'], [13], [11], [14])).toEqual([10, undefined, 12, 11, 13])
      expect(numbersOf([65_530], [65_535, 'padding'], [0], [65_534])).toEqual([65_530, undefined, 65_535, 65_534])
    })

    it('that arrives twice, or after later packets, which have their numbers already', () => {
      expect(numbersOf([10], [11, 'padding'], [11, 'padding'], [12])).toEqual([10, undefined, undefined, 11])
      expect(numbersOf([10], [12], [11, 'padding'], [13])).toEqual([10, 12, undefined, 13])
    })

    it('for as long as the stream lasts', () => {
      const many = Array.from({ length: 1_000 }, (_, index) => [[2 * index], [2 * index + 1, 'padding' as const]])
      const numbers = numbersOf(...many.flat()).filter((number) => number !== undefined)
      expect(numbers).toEqual(numbers.map((_, index) => index))
    })
  })

  it('falls back to a smaller layer when the larger one no longer arrives', () => {
    let time = 1_000
    const [small, large] = [layerOf(320, 180), layerOf(1280, 720)]
    large.arrivedAt = small.arrivedAt = time
    const { take } = createLayerSwitch(
      'VP8',
      () => [small, large],
      () => undefined,
      () => time,
    )
    expect(take(large, packetOf(1, 1, 1, 1), true)).toBeDefined()
    time += 1_500
    small.arrivedAt = time
    expect(take(small, packetOf(100, 1, 1, 1), false)).toBeUndefined()
    expect(small.requests).toBe(1)
    expect(shown(take(small, packetOf(101, 1, 1, 1), true))).toMatchObject({ sequence: 2, pictureId: 2 })
  })
})
