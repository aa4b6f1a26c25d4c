import type { RecordingResult, ShowResult } from '../state/result.ts'
import type { ShowState } from '../state/state.ts'

/** How a show ended, and why, in words. */
export type ShowOutcome = Pick<ShowResult, 'status' | 'reason'>

interface Circumstances {
  /** Why it ended, in words. */
  readonly reason: string | null
  /** What made its execution give up, in words. */
  readonly failure: string | null
  /** Whether the platform could be asked. */
  readonly wasAsked: boolean
  /** Whether the session goes on recording by itself, of which nothing can be said any more. */
  readonly recordsOn: boolean
}

/** How many losses are named one by one: what has become of each stands in the result, and a sentence has to be read. */
const MAX_NAMED = 5

/**
 * A show has failed when its execution gave up or broke off, when a recording is lost, or when a broadcast never began or
 * broke off. One that somebody stopped before it was live has lost nothing. What else went wrong is said, and fails nothing.
 */
export function showOutcome(
  state: ShowState,
  recordings: readonly RecordingResult[],
  { reason, failure, wasAsked, recordsOn }: Circumstances,
): ShowOutcome {
  const lost = lossesOf(state, recordings)
  const unsent = wasCalledOff(state)
    ? []
    : state.broadcasts.filter(({ status, problem }) => problem || status === 'failed')
  const isInterrupted = wasInterrupted(state)
  const problems = [
    ...named(lost, (one) => lossInWords(one, recordings), 'recordings are lost as well'),
    ...named(unsent, broadcastInWords, 'broadcasts failed as well'),
    ...sideProblems(state),
    ...(wasAsked ? [] : ['The platform could not be asked at the end: this is what was last known.']),
    ...(recordsOn ? ['The session is recorded automatically until everybody has left it.'] : []),
  ]
  const why = failure ?? reason ?? 'It ended.'
  const hasFailed = failure !== null || state.gaveUp === true || isInterrupted || lost.length > 0 || unsent.length > 0
  return {
    status: hasFailed ? 'failed' : state.stopAskedAt ? 'stopped' : 'succeeded',
    reason: [why, ...problems].join(' '),
  }
}

/**
 * The parts whose file is missing. Of a show that was called off before it was live none was to be; of one that was stopped
 * while it was starting, none that had not begun by then.
 */
export const lossesOf = (state: ShowState, recordings: readonly RecordingResult[]): RecordingResult[] =>
  wasCalledOff(state) ? [] : recordings.filter((one) => one.lost && !(state.stopAskedAt && neverBegan(one)))

const neverBegan = ({ archiveId, problem }: RecordingResult) => archiveId === undefined && problem === undefined

const wasCalledOff = ({ stopAskedAt, liveAt }: ShowState) => stopAskedAt !== undefined && liveAt === undefined

/** The reason that the show machine gives for a show that had not ended when the sweep closed it. */
export const INTERRUPTED = 'Its execution was interrupted.'

/** Returns whether the sweep had to end a show early. A show whose end was noted before was only brought to its report. */
const wasInterrupted = ({ closings, stopAskedAt, endedAt, endReason = INTERRUPTED, plannedEndAt }: ShowState) =>
  closings > 0 &&
  !stopAskedAt &&
  endReason === INTERRUPTED &&
  (!plannedEndAt || !endedAt || Date.parse(endedAt) < Date.parse(plannedEndAt))

function lossInWords({ name, part, lost }: RecordingResult, recordings: readonly RecordingResult[]): string {
  const parts = recordings.filter((one) => one.name === name)
  if (parts.length === 1) return `The recording ${name} is lost. ${lost}`
  const next = parts.find((one) => one.part > part && !one.lost)
  const words = `Part ${part} of the recording ${name} is lost. ${lost}`
  return next ? `${words.replace(/\.$/, ';')} the recording went on in part ${next.part}.` : words
}

const titleOf = ({ name, part }: { name: string; part: number }) => (part > 1 ? `${name} (part ${part})` : name)

const broadcastInWords = (broadcast: ShowState['broadcasts'][number]) =>
  broadcast.problem
    ? `The broadcast ${titleOf(broadcast)} could not be started. ${broadcast.problem}`
    : `The broadcast ${titleOf(broadcast)} failed.`

function sideProblems({ broadcasts, scenes, dialIns }: ShowState): string[] {
  const outputs = broadcasts.flatMap(({ rtmp = [], ...broadcast }) =>
    rtmp
      .filter(({ status }) => status === 'offline' || status === 'error')
      .map(({ id, status }) => `The output ${id} of the broadcast ${titleOf(broadcast)} was ${status}.`),
  )
  const failedScenes = scenes
    .filter(({ problem, status }) => problem || status === 'failed')
    .map(({ name, problem, reason }) => `The scene ${name} failed. ${problem ?? reason ?? ''}`.trim())
  const failedDialIns = dialIns
    .filter(({ problem, status }) => problem || status === 'unknown')
    .map(({ name, problem }) =>
      problem ? `The dial-in ${name} failed. ${problem}` : `What came of the dial-in ${name} is not known.`,
    )
  const tones = dialIns.flatMap(({ name, tones, tonesAskedAt }) => {
    if (tones === 'failed') return [`The tones for the dial-in ${name} could not be played.`]
    const isUnknown = tones === 'unknown' || (tonesAskedAt !== undefined && tones === undefined)
    return isUnknown ? [`Whether the tones for the dial-in ${name} were played is not known.`] : []
  })
  return named(
    [...outputs, ...failedScenes, ...failedDialIns, ...tones],
    (words) => words,
    'other things went wrong as well',
  )
}

const named = <One>(all: readonly One[], inWords: (one: One) => string, more: string): string[] => {
  const rest = all.length - MAX_NAMED
  return [...all.slice(0, MAX_NAMED).map(inWords), ...(rest > 0 ? [`${rest} ${more}.`] : [])]
}
