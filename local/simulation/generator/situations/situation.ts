import type { ShowDocument } from '../../../../lib/show/document/show.ts'
import type { Chaos } from '../../chaos/chaos.ts'
import type { AppOutage } from '../../environment/app/event-app.ts'
import type { SimulatedParticipant } from '../../environment/participants.ts'
import type { AimedFaults } from '../../faults/aimed-faults.ts'
import type { Control, PlannedControl } from '../controls/controls.ts'
import type { Draws } from '../draws.ts'
import type { Edit, PlannedEdit, PlannedEdits } from '../edits/edits.ts'
import type { Plan } from '../plan.ts'

/** A show in which one thing happens. Only that thing can excuse a violation: no other call fails. */
export interface Situation {
  readonly show: ShowDocument
  readonly plan: Plan
  readonly chaos: Chaos
  /** The calls that fail. Most situations have none. */
  readonly aims: readonly AimedFaults[]
}

/** @param beginning of the world, in milliseconds since the epoch */
export type DrawSituation = (draws: Draws, beginning: number) => Situation

interface Events {
  readonly secrets?: Plan['secrets']
  readonly participants?: readonly SimulatedParticipant[]
  readonly controls?: readonly PlannedControl[]
  readonly appOutages?: readonly AppOutage[]
  readonly edits?: PlannedEdits
  readonly chaos?: Chaos
  readonly aims?: readonly AimedFaults[]
  readonly startsDirectly?: boolean
  readonly occurrences?: number
  readonly others?: Plan['others']
  readonly session?: Plan['session']
  readonly companion?: Plan['companion']
  /** Seconds since the show was live. @default early, and while a show that lasts as long as planned is ending */
  readonly visits?: readonly number[]
}

/** Seconds of a show, and of a planned pause in it. */
export const DURATION = 3_600
export const PAUSE = { from: 300, to: 1_500 }

/** Returns a situation with one show. The default participants stay until its end. */
export function situation(
  show: Partial<ShowDocument> & Pick<ShowDocument, 'recordings'>,
  {
    secrets = {},
    participants = [{ name: 'Ada' }, { name: 'Grace' }],
    controls = [],
    appOutages = [],
    edits,
    chaos = {},
    aims = [],
    occurrences = 1,
    visits = [120, DURATION + 5, DURATION + 20],
    startsDirectly,
    others,
    session,
    companion,
  }: Events = {},
): Situation {
  return {
    ...{ chaos, aims },
    show: { version: 1, name: 'A quiet show', duration: DURATION, ...show },
    plan: {
      ...{ secrets, participants, controls, appOutages, occurrences, visits },
      ...(edits && { edits }),
      ...(startsDirectly && { startsDirectly }),
      ...(others && { others }),
      ...(session && { session }),
      ...(companion && { companion }),
    },
  }
}

/** Returns the order of an RTMP output, whose stream key is in a secret. */
export const outputOf = (id: string) => ({
  ...{ id, serverUrl: 'rtmp://live.example/app', streamName: { secret: 'stream-keys#main' } },
})
export const STREAM_KEYS = { 'stream-keys': { main: 'hidden-secret-of-the-situation' } } as const

/** Returns the order of a recording with a planned pause. */
export const paused = (name: string) => ({ name, parts: true, pauses: [PAUSE] })

/** Returns a control that is sent once, unless `posts` says otherwise. @param at seconds since the show was live, or posted */
export const controlAt = (
  at: number,
  control: Control,
  {
    after = 'live',
    key = `${control.what}-${at}`,
    posts = 1,
  }: Partial<Pick<PlannedControl, 'after' | 'key' | 'posts'>> = {},
): PlannedControl => ({ ...{ at, after, key, posts, together: false }, control })

/** Returns edits of a published recording, one to five minutes apart unless they state the seconds. */
export const editsOf = (
  { between }: Draws,
  order: readonly (Edit & Partial<Pick<PlannedEdit, 'after' | 'together'>>)[],
  which: Partial<Omit<PlannedEdits, 'edits'>> = {},
): PlannedEdits => ({
  ...{ recording: 0, isJoined: false, prefersParts: false, awaitsPurge: false, judgement: 'accept' },
  ...which,
  edits: order.map(({ after = between(1, 300), together = false, ...edit }, index) => ({
    ...{ after, together, key: `edit-${index}`, edit },
  })),
})
