import { describe, expect, it } from 'vitest'
import { readSampleTimes } from '../../../../../lib/media/mp4/tables/sample-times.ts'

/** The content of a table of runs: how many in a row have which value. */
function runs(...entries: readonly (readonly [count: number, value: number])[]): Buffer {
  const content = Buffer.alloc(8 + entries.length * 8)
  content.writeUInt32BE(entries.length, 4)
  for (const [n, [count, value]] of entries.entries()) {
    content.writeUInt32BE(count, 8 + n * 8)
    content.writeInt32BE(value, 12 + n * 8)
  }
  return content
}

describe('readSampleTimes', () => {
  it('adds up durations, from any sample on', () => {
    const times = readSampleTimes(runs([3, 10], [1, 100], [2, 1]), undefined)
    expect(times).toMatchObject({ count: 6, mayReorder: false })
    const durations = new Float64Array(3)
    expect([...times.shown(0, 6)]).toEqual([0, 10, 20, 30, 130, 131])
    expect([...times.shown(2, 5, durations)]).toEqual([20, 30, 130])
    expect([...durations]).toEqual([10, 100, 1])
    expect([...times.shownOf([1, 3, 5])]).toEqual([10, 30, 131])
  })

  it('shifts by offsets, which may be negative and end early', () => {
    const times = readSampleTimes(runs([5, 10]), runs([1, 20], [2, -5]))
    expect(times.mayReorder).toBe(true)
    expect([...times.shown(0, 5)]).toEqual([20, 5, 15, 30, 40])
    expect([...times.shown(2, 4)]).toEqual([15, 30])
  })

  it('does not go through more packets than a recording can have, nor beyond the end of a table', () => {
    expect(() => readSampleTimes(runs([0xffffff, 1], [0xffffff, 1]), undefined)).toThrow(/claims 33554430 packets/)
    expect(() => readSampleTimes(runs([1, 1], [1, 1]).subarray(0, 16), undefined)).toThrow(RangeError)
  })
})
