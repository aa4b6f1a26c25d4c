import type { RecordingResult, ShowResult } from '../state/result.ts'
import type { ShowState } from '../state/state.ts'
import { describeOutput, outputFailures } from './output-events.ts'

export type ShowOutcome = Pick<ShowResult, 'status' | 'reason'>

interface Circumstances {
  readonly reason: string | null
  readonly failure: string | null
  /** True if the platform could be observed at the end. */
  readonly wasObserved: boolean
  /** True if the platform still records the session automatically. */
  readonly isStillRecorded: boolean
}

/** Problems that the reason names individually. The result has all of them. */
const MAX_NAMED = 5

/**
 * Returns the outcome of a show. It failed if its execution failed or was interrupted, a recording is lost, or a broadcast did not
 * start or failed. A show that was stopped or that no participant attended before it was live has lost nothing. Other problems
 * are only named in the reason, except that an output which was off the air makes it degraded.
 */
export function showOutcome(
  state: ShowState,
  recordings: readonly RecordingResult[],
  { reason, failure, wasObserved, isStillRecorded }: Circumstances,
): ShowOutcome {
  const lost = lossesOf(state, recordings)
  const unsent = neverBegan(state)
    ? []
    : state.broadcasts.filter(({ status, problem }) => problem || status === 'failed')
  const isInterrupted = wasInterrupted(state)
  const problems = [
    ...named(lost, (one) => describeLoss(one, recordings), 'more recordings are lost'),
    ...named(unsent, describeBroadcast, 'more broadcasts failed'),
    ...sideProblems(state),
    ...(wasObserved ? [] : ['The platform could not be reached at the end: this is the last known state.']),
    ...(isStillRecorded ? ['The session is recorded automatically until the last participant leaves.'] : []),
  ]
  const why = failure ?? reason ?? 'It ended.'
  const hasFailed = failure !== null || state.gaveUp === true || isInterrupted || lost.length > 0 || unsent.length > 0
  return {
    status: hasFailed ? 'failed' : unimpairedStatus(state),
    reason: [why, ...problems].join(' '),
  }
}

/** Returns the status of a show that did not fail. An output that was off the air impairs also a show that was stopped. */
function unimpairedStatus(state: ShowState): ShowOutcome['status'] {
  if (outputFailures(state).length > 0) return 'degraded'
  if (state.stopAskedAt) return 'stopped'
  return state.unattended ? 'cancelled' : 'succeeded'
}

/**
 * Returns the parts whose file is missing. A show that was called off before it was live has no losses, and one that was stopped
 * while it was starting only those that had started.
 */
export const lossesOf = (state: ShowState, recordings: readonly RecordingResult[]): RecordingResult[] =>
  neverBegan(state) ? [] : recordings.filter((one) => one.lost && !(isCalledOff(state) && neverStarted(one)))

const neverStarted = ({ archiveId, problem }: RecordingResult) => archiveId === undefined && problem === undefined

const isCalledOff = ({ stopAskedAt, unattended }: ShowState) => stopAskedAt !== undefined || unattended === true

/** A recording may run although no participant was noticed, if the answer to its start was lost. */
const neverBegan = ({ stopAskedAt, unattended, liveAt, recordings }: ShowState) =>
  liveAt === undefined &&
  (stopAskedAt !== undefined || (unattended === true && recordings.every(({ archiveId }) => !archiveId)))

/** The reason that the show machine gives for a show that had not ended when the sweep closed it. */
export const INTERRUPTED = 'Its execution was interrupted.'

/** Returns whether the sweep had to end a show early. A show whose end was noted before was only brought to its report. */
const wasInterrupted = ({ closings, stopAskedAt, endedAt, endReason = INTERRUPTED, plannedEndAt }: ShowState) =>
  closings > 0 &&
  !stopAskedAt &&
  endReason === INTERRUPTED &&
  (!plannedEndAt || !endedAt || Date.parse(endedAt) < Date.parse(plannedEndAt))

function describeLoss({ name, part, lost }: RecordingResult, recordings: readonly RecordingResult[]): string {
  const parts = recordings.filter((one) => one.name === name)
  if (parts.length === 1) return `The recording ${name} is lost. ${lost}`
  const next = parts.find((one) => one.part > part && !one.lost)
  const loss = `Part ${part} of the recording ${name} is lost. ${lost}`
  return next ? `${loss.replace(/\.$/, ';')} the recording continued in part ${next.part}.` : loss
}

const titleOf = ({ name, part }: { name: string; part: number }) => (part > 1 ? `${name} (part ${part})` : name)

const describeBroadcast = (broadcast: ShowState['broadcasts'][number]) =>
  broadcast.problem
    ? `The broadcast ${titleOf(broadcast)} could not be started. ${broadcast.problem}`
    : `The broadcast ${titleOf(broadcast)} failed.`

function sideProblems(state: ShowState): string[] {
  const { scenes, dialIns } = state
  const outputs = outputFailures(state).map(describeOutput)
  const failedScenes = scenes
    .filter(({ problem, status }) => problem || status === 'failed')
    .map(({ name, problem, reason }) => `The scene ${name} failed. ${problem ?? reason ?? ''}`.trim())
  const failedDialIns = dialIns
    .filter(({ problem, status }) => problem || status === 'unknown')
    .map(({ name, problem }) =>
      problem ? `The dial-in ${name} failed. ${problem}` : `The outcome of the dial-in ${name} is unknown.`,
    )
  const tones = dialIns.flatMap(({ name, tones, tonesAskedAt }) => {
    if (tones === 'failed') return [`The tones for the dial-in ${name} could not be played.`]
    const isUnknown = tones === 'unknown' || (tonesAskedAt !== undefined && tones === undefined)
    return isUnknown ? [`It is unknown whether the tones for the dial-in ${name} were played.`] : []
  })
  return named(
    [...outputs, ...failedScenes, ...failedDialIns, ...tones],
    (problem) => problem,
    'more problems occurred',
  )
}

const named = <One>(all: readonly One[], describe: (one: One) => string, more: string): string[] => {
  const rest = all.length - MAX_NAMED
  return [...all.slice(0, MAX_NAMED).map(describe), ...(rest > 0 ? [`${rest} ${more}.`] : [])]
}
