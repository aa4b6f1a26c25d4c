import { describe, expect, it } from 'vitest'
import { createFrameAssembler, sizeIn } from '../../../../../local/sandbox/media/live/frame-assembler.ts'
import type { LivePacket, VideoCodec } from '../../../../../local/sandbox/media/live/packets.ts'

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'))
/** Of a keyframe of 640x360: frame tag, start code, width and height, and one byte of data. */
const VP8_KEYFRAME = '10 02 00 9d 01 2a 80 02 68 01 ff'
/** As x264 writes it for 320x240, constrained baseline. */
const SPS = '67 42 c0 0d d9 01 41 fb 01 10 00 00 03 00 10 00 00 03 03 c0 f1 42 99 60'
const PPS = '68 cb 83 cb 20'

function assemble(codec: VideoCodec, packets: readonly [timestamp: number, marker: boolean, payload: string][]) {
  const assembler = createFrameAssembler(codec)
  return packets.flatMap(([timestamp, marker, payload], sequence) => {
    const packet: LivePacket = { kind: 'video', sequence, timestamp, marker, payload: bytes(payload), at: 0 }
    const frame = assembler.push(packet)
    return frame ? [{ timestamp, hex: Buffer.from(frame.data).toString('hex'), size: frame.size }] : []
  })
}
const hex = (text: string) => text.replaceAll(' ', '')

describe('createFrameAssembler', () => {
  it('joins the packets of a VP8 frame without their descriptors of any length', () => {
    expect(
      assemble('VP8', [
        [1, false, `90 80 81 23 ${VP8_KEYFRAME}`], // a picture id of two bytes
        [1, true, '80 f0 11 22 33 ee'], // picture id of one byte, base layer index, temporal layer
        [2, true, '10 31 aa'],
      ]),
    ).toEqual([
      { timestamp: 1, hex: hex(`${VP8_KEYFRAME} ee`), size: { width: 640, height: 360 } },
      { timestamp: 2, hex: '31aa', size: undefined },
    ])
  })

  it('drops a VP8 frame without its beginning, and ignores padding', () => {
    expect(
      assemble('VP8', [
        [1, true, '00 aa'],
        [2, false, ''],
        [2, true, '10 31'],
      ]),
    ).toEqual([{ timestamp: 2, hex: '31', size: undefined }])
  })

  it('writes H.264 in Annex B form: aggregated, fragmented and single units', () => {
    const [sps, pps] = [hex(SPS), hex(PPS)]
    expect(
      assemble('H264', [
        [1, false, `78 0018 ${SPS} 0005 ${PPS}`],
        [1, false, '7c 85 aa'],
        [1, false, '7c 05 bb'],
        [1, true, '7c 45 cc'],
        [2, true, '61 dd'],
      ]),
    ).toEqual([
      { timestamp: 1, hex: `00000001${sps}00000001${pps}0000000165aabbcc`, size: { width: 320, height: 240 } },
      { timestamp: 2, hex: '0000000161dd', size: undefined },
    ])
  })
})

describe('sizeIn', () => {
  it('returns the size that a packet announces', () => {
    expect(sizeIn('VP8', bytes(`10 ${VP8_KEYFRAME}`))).toEqual({ width: 640, height: 360 })
    expect(sizeIn('VP8', bytes('10 31 aa'))).toBeUndefined()
    expect(sizeIn('H264', bytes(SPS))).toEqual({ width: 320, height: 240 })
    expect(sizeIn('H264', bytes('61 dd'))).toBeUndefined()
  })

  it('returns no size for damaged parameters', () => {
    expect(sizeIn('H264', bytes(SPS).subarray(0, 6))).toBeUndefined()
  })
})
