import type { SignalOrder } from '../../../lib/show/document/announcements.ts'
import { MAX_SHOW_SECONDS, type ShowDocument } from '../../../lib/show/document/show.ts'
import type { Guest } from '../environment/guests.ts'
import { type Broadcast, randomBroadcast } from './broadcasts.ts'
import type { Draws } from './draws.ts'
import { type DialIn, randomDialIn } from './participants.ts'
import { type Layout, randomLayout } from './pictures.ts'

/** Something that is asked of a show by the API. */
export interface PlannedControl {
  /** Seconds since the show was posted, or since its first archive or broadcast was created. */
  readonly at: number
  readonly after: 'posted' | 'live'
  readonly control: Control
  /** Idempotency-Key. */
  readonly key: string
  /** How often it is posted under this key, and whether without waiting for answers. */
  readonly posts: number
  readonly together: boolean
}

/** What the API takes; where it takes a stream or a connection, a guest is named. */
export type Control =
  | { readonly what: 'stop' }
  | Change
  | { readonly what: 'signal'; readonly signal: SignalOrder; readonly guest?: string }
  | { readonly what: 'mute'; readonly guest: string }
  | { readonly what: 'mute'; readonly active: boolean; readonly except?: string }
  | { readonly what: 'layoutClasses'; readonly guest: string; readonly layoutClasses: readonly string[] }
  | { readonly what: 'tones'; readonly digits: string; readonly guest?: string }
  | { readonly what: 'disconnect'; readonly guest: string }
  | { readonly what: 'dialIn'; readonly order: DialIn }
  | { readonly what: 'broadcast'; readonly order: Broadcast }
  | { readonly what: 'unschedule' }

export interface Change {
  readonly what: 'change'
  /** Seconds of live time in all. */
  readonly duration?: number
  /** Seconds from when it is asked. */
  readonly endsIn?: number
  readonly layouts?: readonly (Composed & { readonly layout: Layout })[]
  readonly streams?: readonly (Composed & StreamChange)[]
}

type Composed = { readonly recording: string } | { readonly broadcast: string }
type StreamChange =
  | { readonly add: string; readonly hasAudio?: boolean; readonly hasVideo?: boolean }
  | { readonly remove: string }

interface Setting {
  readonly show: ShowDocument
  /** Names. */
  readonly guests: readonly string[]
  readonly index: number
}

/** None in half of all shows, up to eight in the others. */
export function randomControls(draws: Draws, show: ShowDocument, guests: readonly Guest[]): PlannedControl[] {
  const { chance, between, oneOf, times } = draws
  const names = guests.map(({ name }) => name)
  const count = chance(0.5) ? 0 : between(1, 8)
  return times(count, (index): PlannedControl => {
    const isEarly = chance(0.1)
    const posts = oneOf([1, 1, 1, 2, 3])
    return {
      at: isEarly ? between(0, 120) : between(0, show.duration + 60),
      after: isEarly ? 'posted' : 'live',
      control: randomControl(draws, { show, guests: names, index }),
      key: `control-${chance(0.05) ? 0 : index}`, // rarely the key of another one
      posts,
      together: posts > 1 && chance(0.5),
    }
  })
}

function randomControl(draws: Draws, { show, guests, index }: Setting): Control {
  const { oneOf, chance } = draws
  const what = oneOf([
    'stop',
    'change',
    'change',
    'change',
    'signal',
    'mute',
    'layoutClasses',
    'tones',
    'disconnect',
    'dialIn',
    'broadcast',
    'unschedule',
  ] as const)
  switch (what) {
    case 'change':
      return { what, ...randomChange(draws, show, guests) }
    case 'signal':
      return { what, signal: randomSignal(draws), ...(guests.length > 0 && chance(0.6) && { guest: oneOf(guests) }) }
    case 'mute':
      if (guests.length > 0 && chance(0.5)) return { what, guest: oneOf(guests) }
      return chance(0.3) ? { what, active: false } : { what, active: true, ...(guests[0] && { except: guests[0] }) }
    case 'layoutClasses':
      return { what, guest: guestOrNobody(draws, guests), layoutClasses: oneOf([[], ['focus'], ['full', 'wide']]) }
    case 'tones':
      return { what, digits: oneOf(['1', '12p34#']), ...(guests.length > 0 && chance(0.6) && { guest: oneOf(guests) }) }
    case 'disconnect':
      return { what, guest: guestOrNobody(draws, guests) }
    case 'dialIn':
      return { what, order: randomDialIn(draws, `late-${index}`) }
    case 'broadcast':
      return { what, order: randomBroadcast(draws, `late-${index}`, show.duration) }
    default:
      return { what }
  }
}

const guestOrNobody = ({ oneOf }: Draws, guests: readonly string[]) => (guests.length > 0 ? oneOf(guests) : 'nobody')

const randomSignal = ({ oneOf }: Draws): SignalOrder => ({
  type: oneOf(['chat', 'poll']),
  data: oneOf(['Hello', '{"question":1}', 'ü'.repeat(4_000)]),
})

/** An earlier or a later end, other layouts, other streams, or several of these. */
function randomChange(draws: Draws, show: ShowDocument, guests: readonly string[]): Omit<Change, 'what'> {
  const { chance, oneOf, between, times } = draws
  const { duration } = show
  const composed = () => randomComposed(draws, show)
  const parts: readonly (() => Omit<Change, 'what'>)[] = [
    () => ({
      duration: chance(0.5) ? between(1, duration) : Math.min(MAX_SHOW_SECONDS, duration + between(60, 7_200)),
    }),
    () => ({ endsIn: between(0, 1_800) }),
    () => ({ layouts: times(between(1, 3), () => ({ ...composed(), layout: randomNextLayout(draws) })) }),
    () => ({ streams: times(between(1, 4), () => ({ ...composed(), ...randomStreamChange(draws, guests) })) }),
  ]
  return chance(0.3) ? Object.assign({}, oneOf(parts.slice(0, 2))(), oneOf(parts.slice(2))()) : oneOf(parts)()
}

/** One that the show has, and rarely one that it has not. */
function randomComposed({ chance, oneOf }: Draws, { recordings, broadcasts = [] }: ShowDocument): Composed {
  const isUnknown = chance(0.05)
  if (broadcasts.length > 0 && (recordings.length === 0 || chance(0.4)))
    return { broadcast: isUnknown ? 'unknown' : oneOf(broadcasts).name }
  return { recording: isUnknown ? 'unknown' : oneOf(recordings).name }
}

/** A change has to name its type. */
const randomNextLayout = (draws: Draws) => ({ type: 'bestFit' as const, ...randomLayout(draws) })

function randomStreamChange({ chance, oneOf }: Draws, guests: readonly string[]): StreamChange {
  const guest = guests.length > 0 ? oneOf(guests) : 'nobody'
  if (chance(0.3)) return { remove: guest }
  return { add: guest, ...oneOf([{}, { hasAudio: true, hasVideo: false }, { hasAudio: false, hasVideo: true }]) }
}
