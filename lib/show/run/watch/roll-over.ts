import type { Services } from '../../../services.ts'
import { ShowStoppedError } from '../../../tasks/errors.ts'
import type { TaskInput, TaskOutput } from '../../../tasks/tasks.ts'
import { tagOf } from '../../document/fields/names.ts'
import { withPart } from '../../state/part-entries.ts'
import type { RecordingState } from '../../state/resources.ts'
import type { ShowState } from '../../state/state.ts'
import type { TimelineEvent } from '../../state/timeline-events.ts'
import { allSettledLimited, firstRetryable, isFinal } from '../concurrency.ts'
import { isNotYet } from '../platform-errors.ts'
import {
  applyLayouts,
  type RolledBroadcast,
  type RolledRecording,
  startNextBroadcastPart,
  startNextRecordingPart,
  stopBroadcastPart,
  stopRecordingPart,
} from './roll-over-parts.ts'

type Due = TaskInput<'rollOver'>['due']
type Named = Due['recordings']['start'][number]
type Rolling = Pick<Services, 'platform' | 'shows' | 'showSecrets' | 'clock'>

interface Step {
  readonly kind: keyof Due
  readonly action: 'start' | 'stop'
  readonly named: Named
}

/** A step with the entries that changed, or with the reason why it failed. */
interface Outcome extends Step {
  readonly rolled?: readonly (RolledRecording | RolledBroadcast)[]
  readonly failure?: unknown
}

/**
 * Starts the parts that are due and stops those that they take over from. A part that fails does not hold up the others.
 * @throws the first retryable failure, after everything else is done and noted: the repeated task then does the rest
 */
export async function rollOverParts(services: Rolling, input: TaskInput<'rollOver'>): Promise<TaskOutput<'rollOver'>> {
  const { showId } = input
  const { shows } = services
  const outcomes = await runSteps(services, input, await shows.state(showId))
  const done = outcomes.filter(({ rolled }) => rolled)
  const failures = outcomes.filter(({ failure }) => failure !== undefined && !isPointless(failure))
  const latest = await shows.update(
    showId,
    (state) => withOutcomes(state, done),
    ...done.flatMap(startedEvent),
    ...failures.flatMap(failedEvent),
  )
  await applyLayouts(services, startedIn(latest, done))
  const retryable = failures.map(({ failure }) => failure).filter((failure) => !isFinal(failure))
  if (retryable.length > 0) throw firstRetryable(retryable)
  const count = (which: Step['action']) => done.filter(({ action }) => action === which).length
  return { started: count('start'), stopped: count('stop') }
}

async function runSteps(
  services: Rolling,
  { showId, sessionId, due: { recordings, broadcasts } }: TaskInput<'rollOver'>,
  state: ShowState,
): Promise<Outcome[]> {
  const isExclusive = ({ name, part }: Named) => broadcasts.stop.some(isSame({ name, part: part - 1 }))
  const isStoppedByStart = ({ name, part }: Named) => broadcasts.start.some(isSame({ name, part: part + 1 }))
  type Run = () => Promise<NonNullable<Outcome['rolled']>>
  const stepsOf = (kind: Step['kind'], action: Step['action'], named: readonly Named[], run: (one: Named) => Run) =>
    named.map((one) => ({ step: { kind, action, named: one }, run: run(one) }))
  const steps = [
    ...stepsOf('recordings', 'start', recordings.start, (one) => async () => [
      await startNextRecordingPart(services, { showId, sessionId, ...one }, state),
    ]),
    ...stepsOf(
      'broadcasts',
      'start',
      broadcasts.start,
      (one) => () =>
        startNextBroadcastPart(services, { showId, sessionId, ...one }, { state, isExclusive: isExclusive(one) }),
    ),
    ...stepsOf(
      'recordings',
      'stop',
      recordings.stop,
      (one) => () =>
        Promise.all(state.recordings.filter(isSame(one)).map((entry) => stopRecordingPart(services, entry))),
    ),
    ...stepsOf(
      'broadcasts',
      'stop',
      broadcasts.stop.filter((one) => !isStoppedByStart(one)),
      (one) => () =>
        Promise.all(state.broadcasts.filter(isSame(one)).map((entry) => stopBroadcastPart(services, entry))),
    ),
  ]
  const settled = await allSettledLimited(steps.map(({ run }) => run))
  return steps.map(({ step }, index) => {
    const outcome = settled[index]
    return outcome?.status === 'fulfilled' ? { ...step, rolled: outcome.value } : { ...step, failure: outcome?.reason }
  })
}

/** Matches failures after which no further part is needed: no client is connected, or the show was stopped. */
const isPointless = (failure: unknown) => isNotYet(failure) || failure instanceof ShowStoppedError

function withOutcomes(state: ShowState, done: readonly Outcome[]): ShowState {
  const rolled = (kind: Step['kind']) => done.filter((one) => one.kind === kind).flatMap((one) => one.rolled ?? [])
  return {
    ...state,
    recordings: withRolled(state.showId, state.recordings, rolled('recordings') as RolledRecording[]),
    broadcasts: withRolled(state.showId, state.broadcasts, rolled('broadcasts') as RolledBroadcast[]),
  }
}

/** Adds or changes the entries of rolled parts. A new part inherits the layout of the part before; the first stop counts. */
function withRolled<Entry extends Named & Pick<RecordingState, 'layout' | 'stoppedAt'>>(
  showId: string,
  entries: Entry[],
  rolled: readonly (Named & Partial<Entry>)[],
): Entry[] {
  return rolled.reduce((all, one) => {
    const { name, part } = one
    const existing = all.find(isSame(one))
    const layout = all.find(isSame({ name, part: part - 1 }))?.layout
    const stoppedAt = existing?.stoppedAt ?? one.stoppedAt
    const entry = { ...(layout && { layout }), ...existing, tag: tagOf(showId, name, part), ...one }
    return withPart(all, { ...entry, ...(stoppedAt && { stoppedAt }) } as unknown as Entry)
  }, entries)
}

/** Returns the entries of the parts that were started. */
function startedIn({ recordings, broadcasts }: ShowState, done: readonly Outcome[]) {
  const hasStarted = (kind: Step['kind']) => (entry: Named) =>
    done.some((one) => one.action === 'start' && one.kind === kind && isSame(entry)(one.named))
  return {
    recordings: recordings.filter(hasStarted('recordings')),
    broadcasts: broadcasts.filter(hasStarted('broadcasts')),
  }
}

const isSame = (one: Named) => (other: Named) => one.name === other.name && one.part === other.part

const startedEvent = ({ kind, action, named }: Outcome): TimelineEvent[] =>
  action === 'start' ? [{ what: kind === 'recordings' ? 'recording.started' : 'broadcast.started', ...named }] : []

/** Reports failures that a retry does not cure. The next poll of the show retries them all the same. */
function failedEvent({ kind, action, named, failure }: Outcome): TimelineEvent[] {
  if (action !== 'start' || !isFinal(failure)) return []
  const what = kind === 'recordings' ? 'recording.failed' : 'broadcast.failed'
  // The id distinguishes a failed start from a later failure of the same part.
  return [{ what, ...named, id: 'start', detail: (failure as Error).message }]
}
