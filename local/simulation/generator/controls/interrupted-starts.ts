import type { ShowDocument } from '../../../../lib/show/document/show.ts'
import type { AimedFaults } from '../../faults/aimed-faults.ts'
import type { Draws } from '../draws.ts'
import { mayPause } from '../pauses.ts'
import type { Control, PlannedControl } from './controls.ts'

/** A fault of a start, with a control that arrives before the start is repeated. */
export interface InterruptedStart {
  readonly aim: AimedFaults
  readonly control: PlannedControl
}

/** Seconds for which an interrupted task lasts at most. */
const INTERRUPTED_FOR = 50

/**
 * Draws a control that meets the repetition of a start: the end is moved between two attempts to note that the show is live, or the
 * show is stopped before a second recording or broadcast is started again. A sixth of all shows have one.
 */
export function randomInterruptedStart({ chance, between, oneOf }: Draws): InterruptedStart | undefined {
  if (chance(5 / 6)) return undefined
  const moved: InterruptedStart = {
    aim: { operation: 'lambda GoLive', from: 1, times: 1, kind: 'timed out after' },
    control: controlAt(between(1, INTERRUPTED_FOR), { what: 'change', endsIn: oneOf([600, 7_200]) }),
  }
  const stopped: InterruptedStart = {
    aim: {
      operation: oneOf(['platform startArchive', 'platform startBroadcast']),
      from: oneOf([1, 2]),
      times: 1,
      kind: '500',
    },
    control: controlAt(0, { what: 'stop' }),
  }
  return oneOf([moved, stopped])
}

/** The API dies before it starts the execution of a show that it has recorded. */
export const LOST_START: AimedFaults = {
  ...{ operation: 'AWSStepFunctions StartExecution', from: 1, times: 1, kind: 'killed before' },
}

/** A start that the platform receives late, and the controls that let it arrive in a pause. */
export interface LateStart {
  readonly aim: AimedFaults
  readonly controls: readonly PlannedControl[]
}

/** Seconds from giving up a call until the platform receives it. */
const LATE = 60
/** Upper bound of the recordings that pause: any of them may be the one that starts late. */
const MOST = 6

/**
 * Draws a start that is given up, repeated, and received while its recording is paused: the platform then accepts its tag again.
 * Two fifths of the shows whose few recordings can all pause have one.
 */
export function randomLateStart({ chance, between, oneOf }: Draws, show: ShowDocument): LateStart | undefined {
  const { recordings } = show
  if (recordings.length > MOST || !recordings.every(mayPause) || chance(0.6)) return undefined
  const aim = {
    ...{
      operation: 'platform startArchive',
      from: oneOf([1, 1, 2]),
      times: 1,
      kind: 'delayed' as const,
      seconds: LATE,
    },
  }
  const from = between(5, 40)
  const request = (what: 'pause' | 'resume', recording: string, at: number) => ({
    ...controlAt(at, { what, recording }),
    key: `late-${what}-${recording}`,
  })
  const controls = recordings.flatMap(({ name }) => [request('pause', name, from), request('resume', name, 600)])
  return { aim, controls }
}

const controlAt = (at: number, control: Control): PlannedControl => ({
  ...{ at, after: 'live', key: 'interrupted-start', posts: 1, together: false },
  control,
})
