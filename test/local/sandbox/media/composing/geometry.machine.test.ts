import { describe, expect, it } from 'vitest'
import { findCells } from '../../../../support/media/cells.ts'
import { drawFrame, people } from '../../../../support/media/frames.ts'
import {
  COUNTS,
  deviation,
  expectedPictures,
  LAYOUTS,
  misplaced,
  TOLERANCE,
} from '../../../../support/media/geometry.ts'

/** Full HD, which takes longer to draw, is among the tests of the machine. */
const RESOLUTIONS = ['640x480', '1280x720', '480x640', '720x1280'] as const

describe('a frame', () => {
  const cases = LAYOUTS.flatMap((layout) => RESOLUTIONS.map((resolution) => ({ layout, resolution })))
  const all = people(16)

  it.each(cases)('of $layout.type in $resolution has 1 to 16 people where the layout puts them', (one) => {
    expect(misplaced(one.layout, one.resolution, all)).toEqual([])
  })

  it.each(['bestFit', 'pip', 'verticalPresentation', 'horizontalPresentation'] as const)(
    'of bestFit with screenshareType %s has a share in the prominent place, for all classes of the others',
    (screenshareType) => {
      for (const count of COUNTS) {
        const last = count - 1
        const streams = all.slice(0, count).map((one, place) => {
          const isShare = place === last
          return {
            ...one,
            videoType: isShare ? 'screen' : 'camera',
            layoutClasses: isShare ? [] : ['focus', 'full'],
          } as const
        })
        const seen = findCells(drawFrame({ type: 'bestFit', screenshareType }, streams, 640, 480))
        const expected = expectedPictures(screenshareType, '640x480', count, last)
        if (deviation(seen, expected) > TOLERANCE) expect({ count, seen }).toEqual({ count, seen: expected })
      }
    },
  )
})
