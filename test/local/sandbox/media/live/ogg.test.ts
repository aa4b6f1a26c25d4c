import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createOggWriter, opusSamples, readOgg } from '../../../../../local/sandbox/media/live/ogg.ts'

describe('createOggWriter', () => {
  it('writes pages that follow each other, with the lacing of long packets', () => {
    const ogg = createOggWriter()
    expect(ogg.headers.toString('latin1')).toContain('OpusHead')
    const page = ogg.page(new Uint8Array(510).fill(7), 960)
    expect(page.subarray(0, 4).toString()).toBe('OggS')
    expect([page.readBigInt64LE(6), page.readUInt32LE(18), page[26]]).toEqual([960n, 2, 3])
    expect([...page.subarray(27, 30)]).toEqual([255, 255, 0])
    expect(page).toHaveLength(27 + 3 + 510)
  })
})

describe('opusSamples', () => {
  it.each([
    ['20 ms of SILK', [0x08], 960],
    ['two frames of 10 ms, hybrid', [0x61], 960],
    ['2.5 ms of CELT', [0x80], 120],
    ['20 ms of CELT, as browsers send it', [0xfc], 960],
    ['three frames of 20 ms', [0xfb, 0x03], 2880],
  ])('returns the length of %s', (_, packet, samples) => {
    expect(opusSamples(Uint8Array.from(packet))).toBe(samples)
  })
})

describe('readOgg', () => {
  it('returns packets and their places, however the bytes are divided', async () => {
    const ogg = createOggWriter()
    const packets = [1, 254, 255, 600].map((length) => Uint8Array.from([0xfc, ...new Uint8Array(length).fill(length)]))
    const bytes = Buffer.concat([ogg.headers, ...packets.map((packet, index) => ogg.page(packet, 960 * (index + 1)))])
    bytes.writeUInt16LE(312, bytes.indexOf('OpusHead') + 10) // the pre-skip
    for (const size of [1, 100, bytes.length]) {
      const read: { packet: number[]; place: number }[] = []
      const stream = new PassThrough()
      readOgg(stream, (packet, place) => read.push({ packet: [...packet], place }))
      for (let start = 0; start < bytes.length; start += size) stream.write(bytes.subarray(start, start + size))
      await once(stream.end(), 'end')
      expect(read).toEqual(packets.map((packet, index) => ({ packet: [...packet], place: 960 * index - 312 })))
    }
  })
})
