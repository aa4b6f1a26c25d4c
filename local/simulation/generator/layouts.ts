import { resolutions } from '../../../lib/platform/contract/layouts.ts'
import type { ShowDocument } from '../../../lib/show/document/show.ts'
import type { Draws } from './draws.ts'

type Picture = Pick<ShowDocument['recordings'][number], 'resolution' | 'layout' | 'streamMode'>
export type Layout = NonNullable<Picture['layout']>

const TYPES = ['bestFit', 'custom', 'horizontalPresentation', 'pip', 'verticalPresentation'] as const
const SCREENSHARES = ['bestFit', 'horizontalPresentation', 'pip', 'verticalPresentation'] as const
const STYLESHEETS = [
  'stream { position: absolute; left: 0; top: 0; width: 50%; height: 100%; }',
  'stream.focus { position: absolute; left: 10%; top: 10%; width: 80%; height: 80%; }\nstream { width: 25%; height: 25%; }',
]

function randomLayout({ chance, oneOf, maybe }: Draws): Layout {
  if (chance(0.4)) return { ...maybe(0.5, 'type', () => 'bestFit' as const), screenshareType: oneOf(SCREENSHARES) }
  const type = oneOf(TYPES)
  return { type, ...(type === 'custom' && { stylesheet: oneOf(STYLESHEETS) }) }
}

export const randomComposition = (draws: Draws): Picture => ({
  ...draws.maybe(0.6, 'resolution', () => draws.oneOf(resolutions)),
  ...draws.maybe(0.5, 'layout', () => randomLayout(draws)),
  ...randomStreamMode(draws),
})

export const randomStreamMode = ({ maybe, oneOf }: Draws): Pick<Picture, 'streamMode'> =>
  maybe(0.4, 'streamMode', () => oneOf(['auto', 'manual'] as const))

/** Draws a layout of a change, which names its type. */
export function randomNextLayout(draws: Draws) {
  const { type = 'bestFit', ...layout } = randomLayout(draws)
  return { type, ...layout }
}
