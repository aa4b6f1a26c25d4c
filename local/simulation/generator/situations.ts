import type { ShowDocument } from '../../../lib/show/document/show.ts'
import type { Chaos } from '../chaos/chaos.ts'
import { addresses } from '../environment/addresses.ts'
import type { AppOutage } from '../environment/app/event-app.ts'
import type { SimulatedParticipant } from '../environment/participants.ts'
import type { Control, PlannedControl } from './controls/controls.ts'
import type { Draws } from './draws.ts'
import type { Edit, PlannedEdits } from './edits/edits.ts'
import { randomLayout } from './layouts.ts'
import type { Plan } from './plan.ts'

/** A show in which one thing happens, and no call fails. Only that thing can excuse a violation. */
export interface Situation {
  readonly show: ShowDocument
  readonly plan: Plan
  readonly chaos: Chaos
}

interface Events {
  readonly participants?: readonly SimulatedParticipant[]
  readonly controls?: readonly PlannedControl[]
  readonly appOutages?: readonly AppOutage[]
  readonly edits?: PlannedEdits
  readonly chaos?: Chaos
}

/** One seed in this many has a situation. */
const EVERY = 5
/** Seconds of a show, and of a planned pause in it. */
const DURATION = 3_600
const PAUSE = { from: 300, to: 1_500 }

/** Returns the situation of a seed. Situations take turns; most seeds have none. */
export function situationOf(seed: number, draws: Draws): Situation | undefined {
  if (seed % EVERY !== EVERY - 1) return undefined
  return situations[Math.floor(seed / EVERY) % situations.length]?.(draws)
}

const situations: readonly ((draws: Draws) => Situation)[] = [
  stoppedInPause,
  failedBroadcast,
  forgottenBroadcast,
  nextLayouts,
  silentApp,
  restoredRecording,
  failedAgainAndAgain,
  handedOver,
  clipped,
  controlled,
]

/** A show is stopped while its only recording is paused, or one of two. */
function stoppedInPause({ between, chance }: Draws): Situation {
  const others = chance(0.5) ? [{ name: 'room' }] : []
  const stop = controlAt(between(PAUSE.from + 30, PAUSE.to - 300), { what: 'stop' })
  return situation({ recordings: [paused('program'), ...others] }, { controls: [stop] })
}

/** A broadcast that is not continued fails, and the recording of its show does not. */
function failedBroadcast({ between }: Draws): Situation {
  return situation(
    { recordings: [{ name: 'program' }], broadcasts: [{ name: 'live', hls: {} }] },
    { chaos: { failures: [{ at: between(60, 600), of: 'broadcast' }] } },
  )
}

/** All participants leave, after which the platform ends a broadcast and knows it no longer. */
function forgottenBroadcast({ between }: Draws): Situation {
  const leavesAt = between(120, 900)
  return situation(
    { recordings: [{ name: 'program' }], broadcasts: [{ name: 'live', hls: {} }] },
    { participants: ['Ada', 'Grace'].map((name) => ({ name, leavesAt })), chaos: { forgetsBroadcasts: true } },
  )
}

/** Layouts are changed before the next parts of a recording and a broadcast begin. */
function nextLayouts(draws: Draws): Situation {
  const layout = () => ({ type: 'bestFit' as const, ...randomLayout(draws) })
  const change = (at: number, name: 'program' | 'live'): PlannedControl => {
    const of = name === 'program' ? { recording: name } : { broadcast: name }
    return controlAt(at, { what: 'change', layouts: [{ ...of, layout: layout() }] })
  }
  return situation(
    { recordings: [paused('program')], broadcasts: [{ name: 'live', hls: {}, parts: true, maxDuration: 1_200 }] },
    {
      controls: [
        change(draws.between(10, 100), 'program'),
        change(draws.between(110, 200), 'live'),
        change(draws.between(1_600, 2_000), 'program'),
      ],
    },
  )
}

/** The server of the event app accepts connections and answers nothing for a while. */
function silentApp({ between }: Draws): Situation {
  return situation(
    { recordings: [{ name: 'program' }], callback: { url: `${addresses.app}/events` } },
    { appOutages: [{ at: 0, seconds: between(60, 1_200), answers: 'silence' }] },
  )
}

/** A joined recording is deleted and restored, and its parts stay. */
function restoredRecording({ between, chance }: Draws): Situation {
  const order: Edit[] = [
    { what: 'captions', language: 'de', text: 'WEBVTT\n\n00:00:01.000 --> 00:00:03.500\nGuten Tag\n' },
    { what: 'delete', permanently: false },
    { what: 'restore' },
    { what: 'rebuild', posts: 1 },
  ]
  const edits = {
    ...{ recording: 0, isJoined: chance(0.8), prefersParts: true, awaitsPurge: false, judgement: 'accept' as const },
    edits: order.map((edit, index) => ({ after: between(1, 300), key: `edit-${index}`, edit })),
  }
  return situation({ recordings: [paused('program'), { name: 'room' }] }, { edits })
}

/** A recording fails, and so do the parts that follow it. */
function failedAgainAndAgain({ between, times }: Draws): Situation {
  const first = between(60, 300)
  return situation(
    { recordings: [{ name: 'program' }] },
    {
      chaos: {
        failures: times(between(2, 4), (index) => ({ at: first + index, of: 'archive', isNextPart: index > 0 })),
      },
    },
  )
}

/** Recordings and broadcasts reach the limits of the platform, and are continued. */
function handedOver({ between }: Draws): Situation {
  return situation({
    duration: between(15_000, 20_000),
    recordings: [{ name: 'program' }, { name: 'room', outputMode: 'individual' }],
    broadcasts: [{ name: 'live', hls: { dvr: true }, parts: true, maxDuration: between(3_600, 14_400) }],
  })
}

/** Clips of a live show are requested, of which those of MPEG-TS wait for the recording. */
function clipped({ between, times }: Draws): Situation {
  return situation(
    { recordings: [{ name: 'program' }], broadcasts: [{ name: 'live', hls: { dvr: true } }] },
    {
      controls: times(3, (index) =>
        controlAt(between(60, 600) + index * 700, { what: 'clip', name: `Clip ${index}`, last: between(1, 50) }),
      ),
    },
  )
}

/** A recording is paused and resumed on request, and the show is marked. */
function controlled({ between }: Draws): Situation {
  const from = between(60, 600)
  return situation(
    { recordings: [{ name: 'program' }, { name: 'room' }] },
    {
      controls: [
        controlAt(from, { what: 'pause', recording: 'program' }),
        controlAt(from + between(20, 900), { what: 'resume', recording: 'program' }),
        controlAt(between(1_700, 1_800), { what: 'marker', label: 'Questions' }),
        controlAt(between(1_900, 2_000), { what: 'marker', label: 'Before', seconds: between(0, 1_600) }),
        controlAt(between(2_100, 2_200), { what: 'marker', label: 'Beyond', seconds: DURATION }),
      ],
    },
  )
}

const paused = (name: string) => ({ name, parts: true, pauses: [PAUSE] })

const controlAt = (at: number, control: Control): PlannedControl => ({
  ...{ at, after: 'live', key: `at-${at}`, posts: 1, together: false },
  control,
})

function situation(
  show: Partial<ShowDocument> & Pick<ShowDocument, 'recordings'>,
  {
    participants = [{ name: 'Ada' }, { name: 'Grace' }],
    controls = [],
    appOutages = [],
    edits,
    chaos = {},
  }: Events = {},
): Situation {
  return {
    chaos,
    show: { version: 1, name: 'A quiet show', duration: DURATION, ...show },
    plan: { secrets: {}, participants, controls, appOutages, occurrences: 1, ...(edits && { edits }) },
  }
}
