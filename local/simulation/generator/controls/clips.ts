import { maxSecondsOf } from '../../../../lib/show/document/duration.ts'
import type { ShowDocument } from '../../../../lib/show/document/show.ts'
import type { Draws } from '../draws.ts'
import type { PlannedControl } from './controls.ts'

/** Draws up to three requests for a clip of the last seconds. Half of all shows with a broadcast by HLS have some. */
export function randomClips(
  { chance, between, logUniform, oneOf, times }: Draws,
  show: ShowDocument,
): PlannedControl[] {
  const { broadcasts = [] } = show
  if (broadcasts.every(({ hls }) => hls === undefined) || chance(0.5)) return []
  return times(between(1, 3), (index) => {
    const posts = oneOf([1, 1, 2])
    return {
      ...{ at: between(1, maxSecondsOf(show)), after: 'live', key: `clip-${index}`, posts },
      together: posts > 1 && chance(0.5),
      control: { what: 'clip', name: `Clip ${index}`, last: logUniform(1, 3_600) },
    }
  })
}
