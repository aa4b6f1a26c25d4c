import type { SignalOrder } from '../../../lib/workflow/orders/announcements.ts'
import { LONGEST_SHOW, type ShowDocument } from '../../../lib/workflow/show.ts'
import { type Broadcast, randomBroadcast } from './broadcasts.ts'
import type { Draws } from './draws.ts'
import type { PlannedGuest } from './guests.ts'
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

/** Of guests are named whose streams it is about. */
export type Control =
  | { readonly what: 'stop' }
  /** Seconds of live time that the show is to have from now on. */
  | { readonly what: 'duration'; readonly duration: number }
  | { readonly what: 'layout'; readonly of: Composed; readonly name: string; readonly layout: Layout }
  | { readonly what: 'streams'; readonly of: Composed; readonly name: string; readonly change: StreamChange }
  | { readonly what: 'signal'; readonly signal: SignalOrder; readonly guest?: string }
  /** One guest, or everybody. */
  | { readonly what: 'mute'; readonly guest?: string }
  | { readonly what: 'dialIn'; readonly order: DialIn }
  | { readonly what: 'broadcast'; readonly order: Broadcast }

export type Composed = 'recording' | 'broadcast'
export type StreamChange =
  | { readonly add: string; readonly hasAudio?: boolean; readonly hasVideo?: boolean }
  | { readonly remove: string }

type Make = (draws: Draws, show: ShowDocument, guests: readonly string[], index: number) => Control

/** None in half of all shows, up to eight in the others. */
export function randomControls(draws: Draws, show: ShowDocument, guests: readonly PlannedGuest[]): PlannedControl[] {
  const { chance, between, oneOf, times } = draws
  const names = guests.map(({ name }) => name)
  const count = chance(0.5) ? 0 : between(1, 8)
  return times(count, (index): PlannedControl => {
    const isEarly = chance(0.1)
    const posts = oneOf([1, 1, 1, 2, 3])
    return {
      at: isEarly ? between(0, 120) : between(0, show.duration + 60),
      after: isEarly ? 'posted' : 'live',
      control: oneOf(kinds)(draws, show, names, index),
      key: `control-${chance(0.05) ? 0 : index}`, // rarely the key of another one
      posts,
      together: posts > 1 && chance(0.5),
    }
  })
}

const kinds: readonly Make[] = [
  () => ({ what: 'stop' }),
  ({ chance, between }, { duration }) => ({
    what: 'duration',
    duration: chance(0.5) ? between(1, duration) : Math.min(LONGEST_SHOW, duration + between(60, 7_200)),
  }),
  (draws, show) => ({ what: 'layout', ...randomComposed(draws, show), layout: randomNextLayout(draws) }),
  (draws, show, guests) => ({ what: 'streams', ...randomComposed(draws, show), change: randomChange(draws, guests) }),
  (draws, _show, guests) => ({
    what: 'signal',
    signal: { type: draws.oneOf(['chat', 'poll']), data: draws.oneOf(['Hello', '{"question":1}', 'ü'.repeat(4_000)]) },
    ...randomGuest(draws, guests),
  }),
  (draws, _show, guests) => ({ what: 'mute', ...randomGuest(draws, guests) }),
  (draws, _show, _guests, index) => ({ what: 'dialIn', order: randomDialIn(draws, `late-${index}`) }),
  (draws, { duration }, _guests, index) => ({
    what: 'broadcast',
    order: randomBroadcast(draws, `late-${index}`, duration),
  }),
]

/** One that the show has, and rarely one that it has not. */
function randomComposed({ chance, oneOf }: Draws, { recordings, broadcasts = [] }: ShowDocument) {
  const of: Composed = broadcasts.length > 0 && chance(0.4) ? 'broadcast' : 'recording'
  const { name } = oneOf<{ readonly name: string }>(of === 'broadcast' ? broadcasts : recordings)
  return { of, name: chance(0.05) ? 'unknown' : name }
}

/** A change names its type. */
const randomNextLayout = (draws: Draws) => ({ type: 'bestFit' as const, ...randomLayout(draws) })

const randomGuest = ({ maybe, oneOf }: Draws, guests: readonly string[]) =>
  maybe(guests.length > 0 ? 0.6 : 0, 'guest', () => oneOf(guests))

function randomChange({ chance, oneOf }: Draws, guests: readonly string[]): StreamChange {
  const guest = guests.length > 0 ? oneOf(guests) : 'nobody'
  if (chance(0.3)) return { remove: guest }
  return { add: guest, ...oneOf([{}, { hasAudio: true, hasVideo: false }, { hasAudio: false, hasVideo: true }]) }
}
