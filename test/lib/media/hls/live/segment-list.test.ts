import { describe, expect, it } from 'vitest'
import { createSegmentList } from '../../../../../lib/media/hls/live/segment-list.ts'

const COUNT = 2_000
const rangeOf = (number: number) => ({
  ...{ file: `media-${Math.floor(number / 900)}.m4s`, offset: 5_000_000_000 + number, size: 100 + number },
  ...{ start: 1_795_424_400_000.5 + 2000 * number, duration: 2 + number / 1e6 },
})
const partsOf = (number: number) => [{ ...rangeOf(number), isIndependent: true }]

describe('createSegmentList', () => {
  it('returns what it was given, over several files and blocks', () => {
    const list = createSegmentList(Array.from({ length: COUNT }, (_, number) => rangeOf(number)))
    const segments = list.slice()
    expect([list.length, segments.length]).toEqual([COUNT, COUNT])
    for (const [number, segment] of segments.entries()) expect(segment).toEqual({ ...rangeOf(number), parts: [] })
    for (const bounds of [[1_795], [10, 12], [12, 10], [COUNT - 1, COUNT + 5], [COUNT]])
      expect(list.slice(...bounds)).toEqual(segments.slice(...bounds))
    for (const index of [0, 899, 900, -1, -COUNT, COUNT, -COUNT - 1]) expect(list.at(index)).toEqual(segments.at(index))
  })

  it('keeps the parts of the newest six segments', () => {
    const list = createSegmentList()
    for (let number = 0; number < 10; number++) list.push(rangeOf(number), partsOf(number))
    expect(list.slice().map(({ parts }) => parts.length)).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 1, 1])
    expect(list.at(-1)?.parts).toEqual(partsOf(9))
  })
})
