import { describe, expect, it } from 'vitest'
import { arrangeStreams } from '../../../../../lib/platform/layouts/layouts.ts'
import { createComposition } from '../../../../../local/sandbox/media/composing/composition.ts'
import type { Layout } from '../../../../../local/sandbox/media/media.ts'
import { paletteIdentityOf } from '../../../../../local/sandbox/media/pattern/palette.ts'
import { createPattern } from '../../../../../local/sandbox/media/pattern/pattern.ts'

/** The usual size, and two of composers. */
const SIZES = [
  { width: 640, height: 480 },
  { width: 1280, height: 720 },
  { width: 480, height: 640 },
]

const participants = () =>
  SIZES.map((size, place) => {
    const source = createPattern(`Participant ${place}`, paletteIdentityOf(place), size)
    source.show(0)
    return { source, videoType: 'camera', layoutClasses: [] } as const
  })

/** Cells that cover one another, cut their pictures, and reach out of the frame. */
const OVERLAPPING = `
  stream { position: absolute; width: 50%; height: 70%; object-fit: cover }
  stream:nth-child(2) { left: 40%; top: 40%; object-fit: contain }
  stream:nth-child(3) { left: -50px; top: -100px; width: 300px; height: 400px }`

describe('createComposition', () => {
  it.each<Layout>([
    { type: 'bestFit' },
    { type: 'pip' },
    { type: 'verticalPresentation' },
    { type: 'horizontalPresentation' },
    { type: 'custom', stylesheet: OVERLAPPING },
  ])('draws changes in $type exactly as if it redrew everything', (layout) => {
    const [width, height] = [640, 360]
    const streams = participants()
    const placements = arrangeStreams(layout, streams, width, height).map(({ stream, ...cell }) => ({
      stream: stream.source,
      ...cell,
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
  })

  it('is black without streams', () => {
    const composition = createComposition(4, 4)
    composition.draw()
    expect([...composition.picture.data]).toEqual([...Array(16).fill(16), ...Array(8).fill(128)])
  })
})
