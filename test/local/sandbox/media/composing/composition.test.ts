import { describe, expect, it } from 'vitest'
import { createComposition } from '../../../../../local/sandbox/media/composing/composition.ts'
import { arrange } from '../../../../../local/sandbox/media/composing/layouts.ts'
import { identityOf } from '../../../../../local/sandbox/media/pattern/palette.ts'
import { createPattern } from '../../../../../local/sandbox/media/pattern/pattern.ts'

const participants = (count: number) =>
  Array.from({ length: count }, (_, place) => {
    const source = createPattern(`Participant ${place}`, identityOf(place))
    source.show(0)
    return { source, videoType: 'camera', layoutClasses: [] } as const
  })

describe('createComposition', () => {
  it.each(['bestFit', 'pip', 'verticalPresentation', 'horizontalPresentation'] as const)(
    'draws what is new in %s exactly as if it drew everything',
    (type) => {
      const [width, height] = [640, 360]
      const streams = participants(3)
      const placements = arrange({ type }, streams, width, height).map(({ stream, cell }) => ({
        stream: stream.source,
        cell,
      }))
      const kept = createComposition(width, height)
      kept.arrange(placements)
      for (let frame = 0; frame < 64; frame++) {
        for (const { source } of streams) source.show(frame)
        kept.draw()
        if (frame % 7 > 1 && frame % 30 > 3) continue
        const fresh = createComposition(width, height)
        fresh.arrange(placements)
        fresh.draw()
        expect(Buffer.compare(kept.picture.data, fresh.picture.data), `frame ${frame}`).toBe(0)
      }
    },
  )

  it('is black where there is nobody', () => {
    const composition = createComposition(4, 4)
    composition.draw()
    expect([...composition.picture.data]).toEqual([...Array(16).fill(16), ...Array(8).fill(128)])
  })
})
