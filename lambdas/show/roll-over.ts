import type { Services } from '../../lib/services.ts'
import { tagOf } from '../../lib/show/document/fields/names.ts'
import { allSettledLimited, firstRetryable, isFinal } from '../../lib/show/run/concurrency.ts'
import { isNotYet } from '../../lib/show/run/platform-errors.ts'
import {
  layOut,
  nextBroadcastPart,
  nextRecordingPart,
  type RolledBroadcast,
  type RolledRecording,
  stopBroadcastPart,
  stopRecordingPart,
} from '../../lib/show/run/roll-over-parts.ts'
import { withPart } from '../../lib/show/state/part-entries.ts'
import type { RecordingState } from '../../lib/show/state/resources.ts'
import type { ShowState } from '../../lib/show/state/state.ts'
import type { TimelineEvent } from '../../lib/show/state/timeline-events.ts'
import { ShowStoppedError } from '../../lib/tasks/errors.ts'
import type { TaskInput, TaskOutput } from '../../lib/tasks/tasks.ts'
import { taskHandler } from '../middleware/task.ts'

type Due = TaskInput<'rollOver'>['due']
type Named = Due['recordings']['start'][number]

/** What has begun or ended, or why it could not. */
interface Outcome {
  readonly kind: keyof Due
  readonly act: 'start' | 'stop'
  readonly named: Named
  readonly rolled?: readonly (RolledRecording | RolledBroadcast)[]
  readonly failure?: unknown
}

export async function rollOver(input: TaskInput<'rollOver'>, services: Services): Promise<TaskOutput<'rollOver'>> {
  const { showId } = input
  const { shows } = services
  const outcomes = await carryOut(input, await shows.state(showId), services)
  const done = outcomes.filter(({ rolled }) => rolled)
  const failures = outcomes.filter(({ failure }) => failure !== undefined && !isNobodys(failure))
  const latest = await shows.update(
    showId,
    (state) => withOutcomes(state, done),
    ...done.flatMap(asStarted),
    ...failures.flatMap(asFailed),
  )
  await layOut(services, begunIn(latest, done))
  const mayPass = failures.map(({ failure }) => failure).filter((failure) => !isFinal(failure))
  if (mayPass.length > 0) throw firstRetryable(mayPass) // last, so that the task is repeated for these alone
  const count = (which: Outcome['act']) => done.filter(({ act }) => act === which).length
  return { started: count('start'), stopped: count('stop') }
}

/** Each by itself: a part that cannot begin keeps no other from beginning or ending. */
async function carryOut(
  { showId, sessionId, due: { recordings, broadcasts } }: TaskInput<'rollOver'>,
  state: ShowState,
  services: Services,
): Promise<Outcome[]> {
  const isHandedOver = ({ name, part }: Named) => broadcasts.stop.some(isSame({ name, part: part - 1 }))
  const isTakenOver = ({ name, part }: Named) => broadcasts.start.some(isSame({ name, part: part + 1 }))
  const acts: (Omit<Outcome, 'rolled' | 'failure'> & { run: () => Promise<NonNullable<Outcome['rolled']>> })[] = [
    ...recordings.start.map((named) => ({
      ...({ kind: 'recordings', act: 'start', named } as const),
      run: async () => [await nextRecordingPart(services, { showId, sessionId, ...named }, state)],
    })),
    ...broadcasts.start.map((named) => ({
      ...({ kind: 'broadcasts', act: 'start', named } as const),
      run: () =>
        nextBroadcastPart(services, { showId, sessionId, ...named }, { state, isHandedOver: isHandedOver(named) }),
    })),
    ...recordings.stop.map((named) => ({
      ...({ kind: 'recordings', act: 'stop', named } as const),
      run: () => Promise.all(state.recordings.filter(isSame(named)).map((one) => stopRecordingPart(services, one))),
    })),
    ...broadcasts.stop
      .filter((named) => !isTakenOver(named))
      .map((named) => ({
        ...({ kind: 'broadcasts', act: 'stop', named } as const),
        run: () => Promise.all(state.broadcasts.filter(isSame(named)).map((one) => stopBroadcastPart(services, one))),
      })),
  ]
  const settled = await allSettledLimited(acts.map(({ run }) => run))
  return acts.map(({ run: _, ...act }, index) => {
    const outcome = settled[index]
    return outcome?.status === 'fulfilled' ? { ...act, rolled: outcome.value } : { ...act, failure: outcome?.reason }
  })
}

/** Nobody is connected, or the show is being stopped: then nothing has to go on. */
const isNobodys = (failure: unknown) => isNotYet(failure) || failure instanceof ShowStoppedError

/** A part takes its place, or what has become of it is added to what stands there; the first time it was stopped stays. */
function withOutcomes(state: ShowState, done: readonly Outcome[]): ShowState {
  const rolledOf = (kind: Outcome['kind']) =>
    done.filter((one) => one.kind === kind).flatMap(({ rolled = [] }) => rolled)
  const tagged = <Rolled extends Named>(one: Rolled) => ({ tag: tagOf(state.showId, one.name, one.part), ...one })
  return {
    ...state,
    recordings: rolledOf('recordings').reduce((entries: ShowState['recordings'], one) => {
      const there = entries.find(isSame(one))
      const first = there?.stoppedAt && { stoppedAt: there.stoppedAt }
      return withPart(entries, { ...layoutFor(one, entries), ...there, ...tagged(one as RolledRecording), ...first })
    }, state.recordings),
    broadcasts: rolledOf('broadcasts').reduce(
      (entries: ShowState['broadcasts'], one) =>
        withPart(entries, {
          ...layoutFor(one, entries),
          ...entries.find(isSame(one)),
          ...tagged(one as RolledBroadcast),
        }),
      state.broadcasts,
    ),
  }
}

/** A part goes on with what was asked for of the part before it. */
function layoutFor<Entry extends Named & Pick<RecordingState, 'layout'>>({ name, part }: Named, entries: Entry[]) {
  const layout = entries.find(isSame({ name, part: part - 1 }))?.layout
  return layout && { layout }
}

/** The parts of a state that have begun. */
function begunIn({ recordings, broadcasts }: ShowState, done: readonly Outcome[]) {
  const hasBegun = (kind: Outcome['kind']) => (one: Named) =>
    done.some(({ act, named, ...of }) => act === 'start' && of.kind === kind && isSame(one)(named))
  return {
    recordings: recordings.filter(hasBegun('recordings')),
    broadcasts: broadcasts.filter(hasBegun('broadcasts')),
  }
}

const isSame = (one: Named) => (other: Named) => one.name === other.name && one.part === other.part

const asStarted = ({ kind, act, named }: Outcome): TimelineEvent[] =>
  act === 'start' ? [{ what: kind === 'recordings' ? 'recording.started' : 'broadcast.started', ...named }] : []

/** What does not pass by itself is told; at the next look it is tried again all the same. */
const asFailed = ({ kind, act, named, failure }: Outcome): TimelineEvent[] =>
  act === 'start' && isFinal(failure)
    ? [
        {
          what: kind === 'recordings' ? 'recording.failed' : 'broadcast.failed',
          ...named,
          id: 'start', // so that it may break later as well, and be told of then
          detail: (failure as Error).message,
        },
      ]
    : []

export const handler = taskHandler('rollOver', rollOver)
