import { describe, expect, it } from 'vitest'
import { show as showDocument } from '../../../../lib/show/document/show.ts'
import { readClasses, streamsOnAir, tallyOf } from '../../../../web/console/multiview/tally.ts'

const listed = (streamId: string) => ({ streamId, name: streamId, videoType: 'camera', layoutClasses: [] })
const streams = ['a', 'b', 'c'].map(listed)
const added = (detail: string) => ({ at: '2026-03-01T10:00:00Z', what: 'control.streams', name: 'program', detail })

/** A show whose recording has a layout and a stream mode. */
const showWith = (order: object, timeline: readonly ReturnType<typeof added>[] = []) => {
  const recordings = [{ name: 'program', ...order }]
  return {
    document: showDocument.parse({ version: 1.1, name: 'Launch', duration: 60, recordings }),
    recordings: [{ name: 'program', part: 1, tag: 't', status: 'started' }],
    broadcasts: [],
    timeline,
  } as unknown as Parameters<typeof streamsOnAir>[0]
}

describe('streamsOnAir', () => {
  it('has the streams that a layout shows', () => {
    expect([...streamsOnAir(showWith({}), streams)]).toEqual(['a', 'b', 'c'])
    expect([...streamsOnAir(showWith({ layout: { type: 'pip' } }), streams)]).toEqual(['a', 'b'])
    const stylesheet = 'stream:last-child { width: 100%; height: 100% }'
    expect([...streamsOnAir(showWith({ layout: { type: 'custom', stylesheet } }), streams)]).toEqual(['c'])
  })

  it('has the streams that were added to a manual output, and not removed again', () => {
    const timeline = [
      added('The stream a was added to the recording program. The stream b was added to the recording program.'),
      added('The stream a was removed from the recording program.'),
    ]
    expect([...streamsOnAir(showWith({ streamMode: 'manual' }, timeline), streams)]).toEqual(['b'])
  })
})

describe('tallyOf', () => {
  it('prefers what is on air', () => {
    const tallies = ['a', 'b', 'c'].map((id) => tallyOf(id, new Set(['a']), new Set(['a', 'b'])))
    expect(tallies).toEqual(['program', 'next', undefined])
    expect(tallyOf('b', new Set(), undefined)).toBeUndefined()
  })
})

describe('readClasses', () => {
  it('splits at spaces and commas', () => {
    expect(readClasses(' focus, host  focus ')).toEqual(['focus', 'host'])
    expect(readClasses(' ')).toEqual([])
  })
})
