import { resolutions } from '../../../lib/platform/contract/layouts.ts'
import { limits } from '../../../lib/platform/contract/limits.ts'
import type { ShowDocument } from '../../../lib/show/document/show.ts'
import type { Draws } from './draws.ts'
import { randomNames } from './names.ts'
import { randomReference } from './secrets.ts'

type Scene = NonNullable<ShowDocument['scenes']>[number]
export type DialIn = NonNullable<ShowDocument['dialIns']>[number]

const MIN = limits.composerDurationMin.value
const MAX = limits.composerDurationMax.value

export const randomScenes = (draws: Draws): Scene[] =>
  randomNames(draws, draws.oneOf([1, 1, 2, 3, draws.between(4, 10)])).map((name, index) => ({
    name,
    url: `${draws.oneOf(['https', 'http'])}://scenes.example/${index}?of=${draws.between(1, 99)}`,
    ...draws.maybe(0.6, 'resolution', () => draws.oneOf(resolutions)),
    ...draws.maybe(0.5, 'maxDuration', () => draws.oneOf([MAX, draws.between(MIN, MAX)])),
    ...draws.maybe(0.3, 'layoutClasses', () => draws.oneOf([['full'], ['focus', 'wide']])),
  }))

/** Callees of the sandbox. Most answer, and some stay. */
const CALLEES = [
  'answer',
  'answer',
  'answer',
  'instant',
  'busy',
  'decline',
  'noanswer',
  'unknown',
  'guarded',
  'silent',
  'hangup-600',
  'drop-120',
  'hold',
]

export const randomDialIns = (draws: Draws): DialIn[] =>
  randomNames(draws, draws.oneOf([1, 1, 2, draws.between(3, 10)])).map((name) => randomDialIn(draws, name))

export function randomDialIn(draws: Draws, name: string): DialIn {
  const { maybe, oneOf, chance } = draws
  const flag = () => chance(0.5)
  return {
    name,
    uri: `${oneOf(['sip', 'sips', 'SIP'])}:${oneOf(CALLEES)}@pbx.example${oneOf(['', ';transport=tls', ';transport=udp'])}`,
    ...maybe(0.5, 'from', () => oneOf(['+4930123456@pbx.example', 'showrunner@pbx.example'])),
    ...maybe(0.5, 'headers', () => ({
      'X-Room': oneOf(['7', 'Grüße']),
      ...maybe(0.6, 'X-Pin', () => randomReference(draws)),
    })),
    ...maybe(0.5, 'auth', () => ({ username: oneOf(['alice', 'Room 7']), password: randomReference(draws) })),
    ...maybe(0.4, 'secure', flag),
    ...maybe(0.4, 'video', flag),
    ...maybe(0.4, 'observeForceMute', flag),
    ...maybe(0.3, 'layoutClasses', () => ['focus']),
    ...maybe(0.3, 'tones', () => (chance(0.5) ? 'pp1713#' : randomReference(draws))),
  }
}

/** Adds a dial-in whose callee answers and is played tones. A quarter of all shows without dial-ins have it. */
export function withPlayedTones({ chance, oneOf }: Draws, show: ShowDocument): ShowDocument {
  if (show.dialIns !== undefined || chance(0.75)) return show
  return {
    ...show,
    dialIns: [{ name: 'tones', uri: `sip:${oneOf(['answer', 'instant'])}@pbx.example`, tones: 'pp1713#' }],
  }
}
