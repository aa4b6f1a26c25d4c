import { describe, expect, it } from 'vitest'
import {
  drawLayout,
  exchangePlaces,
  hasPlaces,
  layoutChanges,
  type PlacedStream,
  placedStreams,
  placesInRecordings,
} from '../../../../web/console/preview/next-layout.ts'

const stream = (streamId: string, ...layoutClasses: string[]): PlacedStream => ({
  ...{ streamId, name: streamId.toUpperCase(), videoType: 'camera', layoutClasses },
})
const SIZE = [1280, 720] as const
const program = { kind: 'recording', name: 'program', layout: { type: 'pip' }, size: SIZE, isManual: false } as const

describe('placedStreams', () => {
  it('has the layout classes that are prepared, and a name for each stream', () => {
    const listed = { streamId: 'a', name: '', videoType: 'vr', layoutClasses: ['old'], scene: 'intro' }
    expect(placedStreams([listed], new Map())).toEqual([
      { streamId: 'a', name: 'intro', videoType: 'camera', layoutClasses: ['old'] },
    ])
    expect(placedStreams([listed], new Map([['a', ['new']]]))[0]?.layoutClasses).toEqual(['new'])
  })
})

describe('drawLayout', () => {
  it('arranges streams, and names those that a stylesheet does not show', () => {
    const both = [stream('a'), stream('b')]
    expect(drawLayout({ type: 'bestFit' }, both, SIZE).places.map(({ cell }) => cell.x)).toEqual([0, 640])
    const stylesheet = '.main { width: 100%; height: 100% }'
    expect(drawLayout({ type: 'custom', stylesheet }, [stream('a', 'main'), stream('b')], SIZE).problem).toBe(
      'Not visible: B.',
    )
  })

  it('names the problem of a stylesheet with its line', () => {
    expect(drawLayout({ type: 'custom', stylesheet: 'stream {\n colour: red }' }, [stream('a')], SIZE)).toEqual({
      places: [],
      problem: expect.stringContaining('Line 2 of the stylesheet cannot be drawn'),
    })
    expect(drawLayout({ type: 'custom', stylesheet: ' ' }, [], SIZE).problem).toContain('Write a stylesheet')
  })
})

describe('exchangePlaces', () => {
  const exchange = (
    type: 'pip' | 'verticalPresentation' | 'custom',
    streams: readonly PlacedStream[],
    ...ids: string[]
  ) => exchangePlaces({ type }, streams, ids as [string, string])

  it('gives the large place to the moved stream, or to the other if the moved stream has it', () => {
    const none = [stream('a'), stream('b'), stream('c')]
    expect(exchange('verticalPresentation', none, 'b', 'a')).toEqual(new Map([['b', ['focus']]]))
    expect(exchange('pip', none, 'a', 'c')).toEqual(new Map([['c', ['full']]]))
    const focused = [stream('a', 'host'), stream('b', 'focus', 'blue')]
    expect([...(exchange('verticalPresentation', focused, 'a', 'b') ?? [])]).toEqual([
      ['a', ['host', 'focus']],
      ['b', ['blue']],
    ])
    expect(exchange('verticalPresentation', none, 'b', 'c')).toBeUndefined()
  })

  it('exchanges the classes by which a stylesheet places streams', () => {
    expect(exchange('custom', [stream('a', 'left'), stream('b', 'right')], 'a', 'b')).toEqual(
      new Map([
        ['a', ['right']],
        ['b', ['left']],
      ]),
    )
  })
})

describe('hasPlaces', () => {
  it('is false for a grid', () => {
    const types = ['bestFit', 'pip', 'custom'] as const
    expect(types.map((type) => hasPlaces({ type }))).toEqual([false, true, true])
  })
})

describe('layoutChanges', () => {
  it('names the outputs', () => {
    const live = { ...program, kind: 'broadcast', name: 'live' } as const
    expect(layoutChanges({ type: 'pip' }, [program, live])).toEqual([
      { recording: 'program', layout: { type: 'pip' } },
      { broadcast: 'live', layout: { type: 'pip' } },
    ])
  })
})

describe('placesInRecordings', () => {
  const part = (number: number, createdAt: string) => ({
    ...{ name: 'program', part: number, tag: `program/${number}`, createdAt },
  })
  const recordings = [part(1, '2026-03-01T10:00:00.500Z'), part(2, '2026-03-01T11:00:00.000Z')]

  it('returns the time in the part that was recorded, to a hundredth of a second', () => {
    const places = (at: string) => placesInRecordings({ recordings }, [program], at)
    expect(places('2026-03-01T10:02:03.756Z')).toEqual(['program at 2:03.26'])
    expect(places('2026-03-01T12:00:01.999Z')).toEqual(['program (part 2) at 1:00:02.00'])
    expect(places('2026-03-01T09:00:00.000Z')).toEqual([])
  })

  it('leaves out broadcasts', () => {
    const live = { ...program, kind: 'broadcast' } as const
    expect(placesInRecordings({ recordings }, [live], '2026-03-01T12:00:00Z')).toEqual([])
  })
})
