import { describe, expect, it } from 'vitest'
import { createSegmentList, headOf } from '../../../../../lib/media/hls/live/segment-list.ts'

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

  it('keeps the parts of the newest minute', () => {
    const list = createSegmentList()
    for (let number = 0; number < 40; number++) list.push(rangeOf(number), partsOf(number))
    expect(list.slice().map(({ parts }) => parts.length)).toEqual([...Array(10).fill(0), ...Array(30).fill(1)])
    expect(list.at(-1)?.parts).toEqual(partsOf(39))
  })

  it('keeps half an hour to an hour of the newest ones on request, under their numbers', () => {
    const list = createSegmentList([], 'newest')
    for (let number = 0; number < COUNT; number++) list.push(rangeOf(number))
    expect(list.length).toBe(COUNT)
    expect(list.at(899)).toBeUndefined()
    expect(list.at(900)).toEqual({ ...rangeOf(900), parts: [] })
    expect(list.slice()).toHaveLength(COUNT - 900)
    expect(list.slice(COUNT - 15).map(({ size }) => size - 100)).toEqual(
      Array.from({ length: 15 }, (_, index) => COUNT - 15 + index),
    )
  })
})

describe('headOf', () => {
  it('returns the first segments under their numbers, also of a list that has dropped some', () => {
    const list = createSegmentList([], 'newest')
    for (let number = 0; number < COUNT; number++) list.push(rangeOf(number))
    const head = headOf(list, COUNT - 10)
    expect(head.length).toBe(COUNT - 10)
    expect(head.at(-1)).toEqual(list.at(COUNT - 11))
    expect(head.at(1_000)).toEqual(list.at(1_000))
    expect(head.slice(COUNT - 12)).toEqual(list.slice(COUNT - 12, COUNT - 10))
  })
})
