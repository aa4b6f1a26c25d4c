import { archiveReasons } from '../../../platform/contract/archives.ts'
import type { Services, TaskRun } from '../../../services.ts'
import { ShowStoppedError } from '../../../tasks/errors.ts'
import type { TaskInput } from '../../../tasks/tasks.ts'
import { tagOf } from '../../document/fields/names.ts'
import { broadcastOrderOf } from '../../state/broadcast-orders.ts'
import { withPart } from '../../state/part-entries.ts'
import type { BroadcastState, RecordingState } from '../../state/resources.ts'
import type { ShowState } from '../../state/state.ts'
import type { TimelineEvent } from '../../state/timeline-events.ts'
import { type ComposedResource, composedResources, partsIn, type StreamsBody } from '../composed-resources.ts'
import { allSettledLimited, firstRetryable, isFinal } from '../concurrency.ts'
import { isAlreadyEnded, isGone, isNotYet, onError } from '../platform-errors.ts'
import { type PartToStart, startBroadcastPart, startRecordingPart } from '../start/start-parts.ts'

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
export const rollOverParts: TaskRun<'rollOver', keyof Rolling> = async (services, input) => {
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

/** Returns a state with recordings that were started or stopped. */
export const withRolledRecordings = (state: ShowState, rolled: readonly RolledRecording[]): ShowState => ({
  ...state,
  recordings: withRolled(state.showId, state.recordings, rolled),
})

/** Returns a state with broadcasts that were stopped. */
export const withRolledBroadcasts = (state: ShowState, rolled: readonly RolledBroadcast[]): ShowState => ({
  ...state,
  broadcasts: withRolled(state.showId, state.broadcasts, rolled),
})

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

/** The fields of a state's entry that change when a part starts or stops. */
type RolledRecording = Pick<RecordingState, 'name' | 'part'> & Partial<RecordingState>
type RolledBroadcast = Pick<BroadcastState, 'name' | 'part'> & Partial<BroadcastState>

/**
 * Starts the next part of a recording, with the streams that were selected for the part before it. A part that an earlier attempt
 * has noted is not started again: once it has failed, the platform accepts its tag, and lists may lag.
 */
async function startNextRecordingPart(
  services: Rolling,
  part: PartToStart,
  { recordings: entries }: Pick<ShowState, 'recordings'>,
): Promise<RolledRecording> {
  const { name, part: number } = part
  if (entries.find(isSame(part))?.archiveId !== undefined) return { name, part: number }
  const { show } = await services.shows.request(part.showId)
  const before = entries.find((one) => one.name === part.name && one.part === part.part - 1)
  const isManual = show.recordings.find(({ name }) => name === part.name)?.streamMode === 'manual'
  const { recordings } = composedResources(await services.platform())
  const selection = isManual && before?.archiveId ? selectionOf(await recordings.get(before.archiveId)) : []
  const started = await startRecordingPart(services, part)
  await selectStreams(recordings, started.archiveId, selection)
  return started
}

/** Starts the next part of a broadcast as that of a recording. Stops the part before first if `isExclusive`. */
async function startNextBroadcastPart(
  services: Rolling,
  part: PartToStart,
  { state, isExclusive }: { readonly state: Pick<ShowState, 'broadcasts'>; readonly isExclusive: boolean },
): Promise<RolledBroadcast[]> {
  const { name, part: number } = part
  if (state.broadcasts.find(isSame(part))?.broadcastId !== undefined) return [{ name, part: number }]
  const { show } = await services.shows.request(part.showId)
  const before = state.broadcasts.find((one) => one.name === part.name && one.part === part.part - 1)
  const isManual = broadcastOrderOf(part.name, show.broadcasts, state)?.streamMode === 'manual'
  const { broadcasts } = composedResources(await services.platform())
  const selection = isManual && before?.broadcastId ? selectionOf(await broadcasts.get(before.broadcastId)) : []
  const stopped = isExclusive && before ? [await stopBroadcastPart(services, before)] : []
  const started = await startBroadcastPart(services, part)
  await selectStreams(broadcasts, started.broadcastId, selection)
  return [...stopped, started]
}

/** Sets the layouts of the state in parts that have just started: a change may be more recent than their start. */
async function applyLayouts(
  { platform }: Pick<Services, 'platform'>,
  started: Pick<ShowState, 'recordings' | 'broadcasts'>,
): Promise<void> {
  const resources = composedResources(await platform())
  const changes = partsIn(started).flatMap(({ kind, id, layout }) =>
    id && layout ? resources[kind].setLayout(id, layout) : [],
  )
  await Promise.all(changes.map((change) => change.catch(onError(isOver, undefined))))
}

/** Matches the answer to a change of a resource that has ended meanwhile. */
const isOver = (error: unknown) => isAlreadyEnded(error) || isGone(error)

/** Stops a part of a recording after the next part has taken over, or for a pause. Returns what the state notes of it. */
export async function stopRecordingPart(
  { platform, clock }: Pick<Services, 'platform' | 'clock'>,
  { name, part, archiveId }: RecordingState,
): Promise<RolledRecording> {
  if (!archiveId) return { name, part }
  const { recordings } = composedResources(await platform())
  const stopped = await recordings.stop(archiveId).catch(onError(isAlreadyEnded, undefined))
  const { status, reason } = stopped ?? (await recordings.get(archiveId)) // the answer to an earlier stop may be lost
  const stoppedAt = reason === archiveReasons.userInitiated ? { stoppedAt: new Date(clock.now()).toISOString() } : {}
  return { name, part, status, ...(reason && { reason }), ...stoppedAt }
}

/** Stops a part of a broadcast after or before the next part takes over, or on request. Returns what the state notes of it. */
export async function stopBroadcastPart(
  { platform }: Pick<Services, 'platform'>,
  { name, part, broadcastId }: BroadcastState,
): Promise<RolledBroadcast> {
  if (broadcastId) await (await platform()).stopBroadcast({ broadcastId }).catch(onError(isAlreadyEnded, undefined))
  return { name, part, status: 'stopped' }
}

type Selected = readonly { readonly streamId: string; readonly hasAudio: boolean; readonly hasVideo: boolean }[]

/** Returns changes that repeat the stream selection of a running archive or broadcast with stream mode `manual`. */
const selectionOf = (resource: { readonly streams?: Selected | undefined }): StreamsBody[] =>
  (resource.streams ?? []).map(({ streamId, ...tracks }) => ({ addStream: streamId, ...tracks }))

/** Gives a part that has just started the streams of the part before it. Streams that have left meanwhile are omitted. */
async function selectStreams(
  { changeStreams }: Pick<ComposedResource<never, never>, 'changeStreams'>,
  id: string,
  selection: readonly StreamsBody[],
): Promise<void> {
  for (const body of selection) await changeStreams(id, body).catch(onError(isGone, undefined))
}
