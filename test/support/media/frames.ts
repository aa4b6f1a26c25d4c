import { arrangeStreams, type Placeable } from '../../../lib/platform/layouts/layouts.ts'
import { createComposition } from '../../../local/sandbox/media/composing/composition.ts'
import type { Picture } from '../../../local/sandbox/media/composing/picture.ts'
import type { Layout } from '../../../local/sandbox/media/media.ts'
import { paletteIdentityOf } from '../../../local/sandbox/media/pattern/palette.ts'
import { createPattern } from '../../../local/sandbox/media/pattern/pattern.ts'
import type { Source } from '../../../local/sandbox/media/sources/source.ts'
import { frameAt } from '../../../local/sandbox/media/timebase.ts'

/** Somebody who is seen in a session. */
export interface Onlooked extends Placeable {
  readonly source: Source
}

const NAMES =
  'Ada Bela Carl Dora Emil Frida Gero Hanna Ines Jonas Klara Leo Mira Nils Olga Paul Quirin Rosa Sven Tilda'.split(' ')
/** Between two flashes. */
const MOMENT = frameAt(Date.UTC(2026, 0, 1, 20, 15, 0, 500))

/** So many people with generated pictures, in the order of publishing, each with the places of its own in `more`. */
export function people(count: number, more: Readonly<Record<number, Partial<Placeable>>> = {}): Onlooked[] {
  return Array.from({ length: count }, (_, place) => {
    const source = createPattern(NAMES[place] ?? String(place), paletteIdentityOf(place))
    source.show(MOMENT)
    return { source, videoType: 'camera', layoutClasses: [], ...more[place] }
  })
}

/** The frame that the compositor draws of them. */
export function drawFrame(layout: Layout, streams: readonly Onlooked[], width: number, height: number): Picture {
  const composition = createComposition(width, height)
  composition.arrange(
    arrangeStreams(layout, streams, width, height).map(({ stream, ...place }) => ({ stream: stream.source, ...place })),
  )
  composition.draw()
  return composition.picture
}
