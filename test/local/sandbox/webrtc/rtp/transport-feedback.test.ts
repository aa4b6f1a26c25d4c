import { describe, expect, it } from 'vitest'
import { RtcpPacketConverter, type RtcpTransportLayerFeedback, type RunLengthChunk, type TransportWideCC } from 'werift'
import { createTransportFeedback } from '../../../../../local/sandbox/webrtc/rtp/transport-feedback.ts'

/** Reads a message as the library does, which is not the code that has written it. */
function read(message: Buffer | undefined) {
  const [packet] = RtcpPacketConverter.deSerialize(message ?? Buffer.alloc(0))
  const feedback = (packet as RtcpTransportLayerFeedback).feedback as TransportWideCC
  const statuses = (feedback.packetChunks as RunLengthChunk[]).flatMap(({ packetStatus, runLength }) =>
    Array<number>(runLength).fill(packetStatus),
  )
  expect(statuses).toHaveLength(feedback.packetStatusCount)
  return {
    base: feedback.baseSequenceNumber,
    count: feedback.fbPktCount,
    ssrcs: [feedback.senderSsrc, feedback.mediaSourceSsrc],
    received: statuses.flatMap((status, index) => (status === 0 ? [] : [feedback.baseSequenceNumber + index])),
    deltas: feedback.recvDeltas.map(({ delta }) => delta),
  }
}

describe('createTransportFeedback', () => {
  it('reports when each packet arrived, and which are missing', () => {
    const feedback = createTransportFeedback()
    const origin = 64_000 * 5
    for (const [sequence, time] of [
      [10, 500],
      [11, 1_500],
      [14, 101_500],
      [13, 101_000],
    ] as const)
      feedback.arrived(sequence, origin + time)
    expect(read(feedback.next(1, 2))).toEqual({
      ...{ base: 10, count: 0, ssrcs: [1, 2], received: [10, 11, 13, 14] },
      deltas: [500, 1_000, 99_500, 500],
    })
  })

  it('numbers its messages, and continues beyond 65535', () => {
    const feedback = createTransportFeedback()
    for (const sequence of [65_534, 65_535, 0, 1]) feedback.arrived(sequence, 1_000)
    expect(read(feedback.next(1, 2))).toMatchObject({
      base: 65_534,
      count: 0,
      received: [65_534, 65_535, 65_536, 65_537],
    })
    feedback.arrived(2, 2_000)
    expect(read(feedback.next(1, 2))).toMatchObject({ base: 2, count: 1, received: [2] })
  })

  it('has nothing to report without new packets, and ignores those without a number and repeated ones', () => {
    const feedback = createTransportFeedback()
    feedback.arrived(undefined, 1)
    expect(feedback.next(1, 2)).toBeUndefined()
    feedback.arrived(7, 64_000)
    feedback.arrived(7, 90_000)
    expect(read(feedback.next(1, 2))).toMatchObject({ received: [7], deltas: [0] })
    expect(feedback.next(1, 2)).toBeUndefined()
  })

  it('describes a packet that was earlier than the one before it', () => {
    const feedback = createTransportFeedback()
    feedback.arrived(1, 128_000)
    feedback.arrived(2, 66_000)
    expect(read(feedback.next(1, 2)).deltas).toEqual([0, -62_000])
  })
})
