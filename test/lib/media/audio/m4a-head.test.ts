import { describe, expect, it } from 'vitest'
import { writeM4aHead } from '../../../../lib/media/audio/copy-audio.ts'
import { createPacketTable } from '../../../../lib/media/mp4/packet-table.ts'

const headOf = (packets: number, size: number) => {
  const table = createPacketTable()
  for (let n = 0; n < packets; n++) table.add(size, 1024)
  const configuration = Uint8Array.of(0x11, 0x88)
  return writeM4aHead({
    sampleRate: 48_000,
    channels: 1,
    configuration,
    timescale: 48_000,
    start: -1024,
    packets: table,
  })
}
const offsetsOf = (head: Buffer, type: 'stco' | 'co64') => {
  const at = head.indexOf(type) + 8
  const read = (n: number) =>
    type === 'stco' ? head.readUInt32BE(at + 4 + n * 4) : Number(head.readBigUInt64BE(at + 4 + n * 8))
  return Array.from({ length: head.readUInt32BE(at) }, (_, n) => read(n))
}

describe('writeM4aHead', () => {
  it('places chunks of 48 packets behind the front', () => {
    const head = headOf(100, 200)
    expect(head.readUInt32BE(head.length - 8)).toBe(8 + 100 * 200)
    expect(head.toString('latin1', head.length - 4)).toBe('mdat')
    expect(offsetsOf(head, 'stco')).toEqual([0, 48, 96].map((n) => head.length + n * 200))
  })

  it('counts in 64 bits beyond 4 GiB', () => {
    const size = 2 ** 26
    const head = headOf(100, size)
    expect(head.toString('latin1', head.length - 12, head.length - 8)).toBe('mdat')
    expect(Number(head.readBigUInt64BE(head.length - 8))).toBe(16 + 100 * size)
    expect(offsetsOf(head, 'co64')).toEqual([0, 48, 96].map((n) => head.length + n * size))
  })

  it('writes an edit list that skips packets before the time 0', () => {
    const head = headOf(3, 200)
    const at = head.indexOf('elst') + 12
    expect(head.readBigInt64BE(at)).toBe(2n * 1024n)
    expect(head.readBigInt64BE(at + 8)).toBe(1024n)
  })
})
