import type { SignalOrder } from '../../../../lib/show/document/announcements.ts'
import { MAX_SHOW_SECONDS, maxSecondsOf } from '../../../../lib/show/document/duration.ts'
import type { ShowDocument } from '../../../../lib/show/document/show.ts'
import type { SimulatedParticipant } from '../../environment/participants.ts'
import { type Broadcast, randomBroadcast } from '../broadcasts.ts'
import type { Draws } from '../draws.ts'
import { type Layout, randomNextLayout } from '../layouts.ts'
import { type DialIn, randomDialIn } from '../scenes-and-dial-ins.ts'

/** A control that an event app sends to a show. */
export interface PlannedControl {
  /** Seconds since the show was posted, or since its first archive or broadcast was created. */
  readonly at: number
  readonly after: 'posted' | 'live'
  readonly control: Control
  /** Value of `Idempotency-Key`. */
  readonly key: string
  /** Number of posts under this key, and whether they overlap. */
  readonly posts: number
  readonly together: boolean
}

/** A control. Participants stand for their streams and connections. */
export type Control =
  | { readonly what: 'stop' }
  | Change
  | { readonly what: 'signal'; readonly signal: SignalOrder; readonly participant?: string }
  | { readonly what: 'mute'; readonly participant: string }
  | { readonly what: 'mute'; readonly active: boolean; readonly except?: string }
  | { readonly what: 'layoutClasses'; readonly participant: string; readonly layoutClasses: readonly string[] }
  | { readonly what: 'tones'; readonly digits: string; readonly participant?: string }
  | { readonly what: 'disconnect'; readonly participant: string }
  | { readonly what: 'disconnect'; readonly dialIn: string }
  | { readonly what: 'dialIn'; readonly order: DialIn }
  | { readonly what: 'broadcast'; readonly order: Broadcast }
  | { readonly what: 'unschedule' }
  | { readonly what: 'pause' | 'resume'; readonly recording: string }
  | { readonly what: 'stopBroadcast'; readonly broadcast: string }
  | { readonly what: 'marker'; readonly label: string; readonly seconds?: number }
  | ClipOfShow
  /** Deletes the clip of an earlier request, which its key names. */
  | { readonly what: 'deleteClip'; readonly of: string }
  /** Replaces the document of a scheduled show. */
  | { readonly what: 'replace'; readonly show: ShowDocument }

/** A clip of a live show. Its times are seconds since the show was live, or its latest marker. Without an end, it ends now. */
type ClipOfShow = { readonly what: 'clip'; readonly name: string; readonly broadcast?: string } & (
  | { readonly last: number }
  | { readonly from: number | 'last marker'; readonly to?: number }
)

export interface Change {
  readonly what: 'change'
  /** Total seconds of live time. */
  readonly duration?: number
  /** Seconds from the request. */
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
  readonly participants: readonly string[]
  readonly index: number
}

/** Draws up to eight controls. Half of all shows have none. */
export function randomControls(
  draws: Draws,
  show: ShowDocument,
  participants: readonly SimulatedParticipant[],
): PlannedControl[] {
  const { chance, between, oneOf, times } = draws
  const names = participants.map(({ name }) => name)
  const count = chance(0.5) ? 0 : between(1, 8)
  return times(count, (index): PlannedControl => {
    const isEarly = chance(0.1)
    const posts = oneOf([1, 1, 1, 2, 3])
    return {
      at: isEarly ? between(0, 120) : between(0, maxSecondsOf(show) + 60),
      after: isEarly ? 'posted' : 'live',
      control: randomControl(draws, { show, participants: names, index }),
      key: `control-${chance(0.05) ? 0 : index}`, // rarely the key of another control
      posts,
      together: posts > 1 && chance(0.5),
    }
  })
}

function randomControl(draws: Draws, { show, participants, index }: Setting): Control {
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
    'marker',
  ] as const)
  switch (what) {
    case 'change':
      return { what, ...randomChange(draws, show, participants) }
    case 'signal':
      return {
        what,
        signal: randomSignal(draws),
        ...(participants.length > 0 && chance(0.6) && { participant: oneOf(participants) }),
      }
    case 'mute':
      if (participants.length > 0 && chance(0.5)) return { what, participant: oneOf(participants) }
      return chance(0.3)
        ? { what, active: false }
        : { what, active: true, ...(participants[0] && { except: participants[0] }) }
    case 'layoutClasses':
      return {
        what,
        participant: participantOrUnknown(draws, participants),
        layoutClasses: oneOf([[], ['focus'], ['full', 'wide']]),
      }
    case 'tones':
      return {
        what,
        digits: oneOf(['1', '12p34#']),
        ...(participants.length > 0 && chance(0.6) && { participant: oneOf(participants) }),
      }
    case 'disconnect':
      return { what, participant: participantOrUnknown(draws, participants) }
    case 'dialIn':
      return { what, order: randomDialIn(draws, `late-${index}`) }
    case 'broadcast':
      return { what, order: randomBroadcast(draws, `late-${index}`, maxSecondsOf(show)) }
    case 'marker':
      return {
        what,
        label: oneOf(['Questions', 'Größe ½']),
        ...(chance(0.3) && { seconds: draws.between(0, Math.round(maxSecondsOf(show) * BEYOND)) }),
      }
    default:
      return { what }
  }
}

/** Share of the longest time of a show up to which markers are requested: some are after its end. */
const BEYOND = 1.25

const participantOrUnknown = ({ oneOf }: Draws, participants: readonly string[]) =>
  participants.length > 0 ? oneOf(participants) : 'unknown'

const randomSignal = ({ oneOf }: Draws): SignalOrder => ({
  type: oneOf(['chat', 'poll']),
  data: oneOf(['Hello', '{"question":1}', 'ü'.repeat(4_000)]),
})

/** Draws another end, layouts, streams, or a combination. */
function randomChange(draws: Draws, show: ShowDocument, participants: readonly string[]): Omit<Change, 'what'> {
  const { chance, oneOf, between, times } = draws
  const duration = maxSecondsOf(show)
  const composed = () => randomComposed(draws, show)
  const parts: readonly (() => Omit<Change, 'what'>)[] = [
    () => ({
      duration: chance(0.5) ? between(1, duration) : Math.min(MAX_SHOW_SECONDS, duration + between(60, 7_200)),
    }),
    () => ({ endsIn: between(0, 1_800) }),
    () => ({ layouts: times(between(1, 3), () => ({ ...composed(), layout: randomNextLayout(draws) })) }),
    () => ({ streams: times(between(1, 4), () => ({ ...composed(), ...randomStreamChange(draws, participants) })) }),
  ]
  return chance(0.3) ? Object.assign({}, oneOf(parts.slice(0, 2))(), oneOf(parts.slice(2))()) : oneOf(parts)()
}

/** Picks a recording or broadcast of the show, and rarely an unknown one. */
function randomComposed({ chance, oneOf }: Draws, { recordings, broadcasts = [] }: ShowDocument): Composed {
  const isUnknown = chance(0.05)
  if (broadcasts.length > 0 && (recordings.length === 0 || chance(0.4)))
    return { broadcast: isUnknown ? 'unknown' : oneOf(broadcasts).name }
  return { recording: isUnknown ? 'unknown' : oneOf(recordings).name }
}

function randomStreamChange({ chance, oneOf }: Draws, participants: readonly string[]): StreamChange {
  const participant = participants.length > 0 ? oneOf(participants) : 'unknown'
  if (chance(0.3)) return { remove: participant }
  return { add: participant, ...oneOf([{}, { hasAudio: true, hasVideo: false }, { hasAudio: false, hasVideo: true }]) }
}
