import { describe, expect, it } from 'vitest'
import { paletteIdentityOf } from '../../../local/sandbox/media/pattern/palette.ts'
import { createPattern } from '../../../local/sandbox/media/pattern/pattern.ts'
import { frameAt } from '../../../local/sandbox/media/timebase.ts'
import { countFlashes, expectAttendance, ONE_TURN } from './attendance.ts'
import { drawFrame } from './frames.ts'

const START = Date.UTC(2026, 0, 1, 20, 15)
const END = START + 10_000

/** Draws the participants of some places as they are seen some milliseconds after the start. */
function pictureAt(ms: number, places: readonly number[]) {
  const frame = frameAt(START + ms)
  const streams = places.map((place) => {
    const source = createPattern(`P${place}`, paletteIdentityOf(place))
    source.show(frame)
    return { source, videoType: 'camera', layoutClasses: [] } as const
  })
  return drawFrame({ type: 'bestFit' }, streams, 640, 360)
}

const stream = (place: number, start: number, end: number) => ({ place, start: START + start, end: START + end })
const record = [stream(0, 0, 10_000), stream(1, 0, 4_000), stream(2, 6_000, 10_000), stream(1, 8_000, 10_000)]

describe('expectAttendance', () => {
  it.each([
    [1_000, [0, 1]],
    [5_000, [0]],
    [7_000, [0, 2]],
    [9_000, [0, 1, 2]],
  ])('accepts the picture at %i ms with the places %j', (ms, places) => {
    expectAttendance([pictureAt(ms, places)], record, START)
  })

  it.each([
    ['misses one who published', 1_000, [0]],
    ['shows one who had left', 5_000, [0, 1]],
    ['shows one too early', 5_500, [0, 2]],
    ['shows nobody', 1_000, []],
    ['shows one who is not recorded', 1_000, [0, 1, 3]],
  ])('refuses a picture that %s', (_, ms, places) => {
    expect(() => expectAttendance([pictureAt(ms, places)], record, START)).toThrow('pictures that differ')
  })

  it('accepts either state within a turn of a change', () => {
    for (const places of [[0], [0, 2]]) expectAttendance([pictureAt(6_000 + ONE_TURN - 40, places)], record, START)
  })

  it('throws where there are no pictures', () => {
    expect(() => expectAttendance([], record, START)).toThrow()
  })
})

describe('countFlashes', () => {
  it('counts the seconds that begin while stream and recording last', () => {
    expect(countFlashes({ start: START + 500, end: END }, { start: START, end: START + 3_500 })).toBe(3)
    expect(countFlashes({ start: START, end: END }, { start: START + 900, end: START + 2_100 })).toBe(0)
  })
})
