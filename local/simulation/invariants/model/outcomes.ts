import { archiveReasons } from '../../../../lib/platform/contract/archives.ts'
import { maxSecondsOf } from '../../../../lib/show/document/duration.ts'
import type { ShowState } from '../../../../lib/show/state/state.ts'
import type { Evidence, ShowEvidence } from '../evidence.ts'
import { faultsOf } from '../faults-of.ts'

/** First words of the reason of a show that was stopped, or that no participant attended. */
const REASONS: Readonly<Record<string, RegExp>> = {
  stopped: /^It was stopped (on request|before a participant connected)\.|^It was unscheduled/,
  cancelled: /^No participant connected within \d+ s\./,
}
/** Statuses of a show that is stopped, and of one that is over. */
const ENDED: ReadonlySet<string> = new Set(['ending', 'succeeded', 'failed', 'stopped', 'cancelled', 'degraded'])
/** Seconds by which an end may follow its event. The watching notes an end that it decides before the show is stopped. */
const AFTER_EVENT = 1
/** Seconds of a wait for participants after which a show has polled for them several times. */
const LONG_WAIT = 120

/**
 * Checks that a result has the status, the reason and the times of what happened to its show: who stopped it, what is lost, and
 * when it ended first.
 */
export function outcomes({
  shows,
  versions,
  failedCalls,
}: Pick<Evidence, 'shows' | 'versions' | 'failedCalls'>): string[] {
  const hasFailedChecks = faultsOf(failedCalls, /^CheckAudience$/).length > 0
  return shows.flatMap((show) => {
    const states = versions
      .filter(({ key, text }) => text !== '' && key.endsWith(`/${show.showId}/state.json`))
      .map(({ text }) => JSON.parse(text) as ShowState)
    return [
      ...statusProblems(show),
      ...timeProblems(show),
      ...plannedEndProblems(show),
      ...sessionProblems(show),
      ...startProblems(show),
      ...emptiedProblems(show),
      ...endProblems(states),
      ...(hasFailedChecks ? [] : waitProblems(show, states)),
    ].map((problem) => `the show ${show.showId.slice(0, 12)} ${problem}`)
  })
}

function statusProblems({ state, result }: ShowEvidence): string[] {
  if (!result || !state) return []
  const { status, reason, recordings, broadcasts } = result
  // What had not started when the show was stopped is not lost.
  const isLoss = ({ archiveId, problem }: (typeof recordings)[number]) =>
    !state.stopAskedAt || archiveId !== undefined || problem !== undefined
  const lost = recordings.filter((one) => one.lost !== undefined && isLoss(one))
  const failed = broadcasts.filter((one) => one.status === 'failed')
  const isComplete = status === 'succeeded' || status === 'degraded'
  return [
    ...(isComplete && lost.length > 0 ? [`is ${status}, although ${lost[0]?.name} is lost`] : []),
    ...(isComplete && failed.length > 0 ? [`is ${status}, although the broadcast ${failed[0]?.name} failed`] : []),
    ...(state.stopAskedAt && (status === 'succeeded' || status === 'cancelled')
      ? [`is ${status}, although it was asked to stop`]
      : []),
    ...(!state.stopAskedAt && (status === 'stopped' || reason.startsWith('It was stopped'))
      ? [`is ${status} as stopped, although no caller asked for it`]
      : []),
    ...(REASONS[status]?.test(reason) === false ? [`is ${status} for another reason: ${reason}`] : []),
  ]
}

function timeProblems({ state, result }: ShowEvidence): string[] {
  const ending = Date.parse(state?.timeline.find(({ what }) => what === 'show.ending')?.at ?? '')
  const endedAt = Date.parse(state?.endedAt ?? '')
  return [
    ...(endedAt - ending > AFTER_EVENT * 1000
      ? [`ended at ${state?.endedAt}, and at ${new Date(ending).toISOString()} by its timeline`]
      : []),
    ...(result && state && result.endedAt !== undefined && result.endedAt !== state.endedAt
      ? [`ended at ${result.endedAt} by its result, and at ${state.endedAt} by its state`]
      : []),
  ]
}

/** Finds a show that awaited its audience over several polls, none of which failed, and that was never shown as waiting. */
function waitProblems({ state }: ShowEvidence, states: readonly ShowState[]): string[] {
  const { timeline = [], unattended, endedAt = '' } = state ?? {}
  const opened = timeline.findLast(({ what }) => what === 'session.opened' || what === 'upload.targetSet')?.at ?? ''
  const present = timeline.find(({ what }) => what === 'audience.present')?.at
  const until = Date.parse(present ?? (unattended ? endedAt : ''))
  const waited = (until - Date.parse(opened)) / 1000
  // Among thousands of shows former versions are not kept: those of a show that is starting are missing as well.
  const isKept = states.some(({ status }) => status === 'starting')
  const isShown = states.some(({ status }) => status === 'waiting')
  return waited > LONG_WAIT && isKept && !isShown ? [`waited ${waited} s for its audience, and was never waiting`] : []
}

/** Finds a planned end that is neither that of the document nor the one that was requested last. */
function plannedEndProblems({ request, state }: ShowEvidence): string[] {
  const { liveAt, plannedEndAt, openEnd, timeline = [] } = state ?? {}
  if (!request || liveAt === undefined || openEnd) return []
  const requests = timeline.filter(({ what }) => what === 'control.duration')
  const [, requested] = /ends at (\S+Z)\.$/.exec(requests.at(-1)?.detail ?? '') ?? []
  const due = requested ?? new Date(Date.parse(liveAt) + maxSecondsOf(request.show) * 1000).toISOString()
  return due === plannedEndAt ? [] : [`has the planned end ${plannedEndAt}, and not ${due}`]
}

/** Reasons that do not explain why nothing was started. */
const UNEXPLAINED = /^(It was stopped\.|Its execution was interrupted\.|It ended\.|The planned end)/

/**
 * Finds recordings that nothing has tried to start, without a reason: the show was not stopped or interrupted, and did not fail.
 */
function startProblems({ state, result }: ShowEvidence): string[] {
  if (!result || !state) return []
  const { stopAskedAt, gaveUp, closings = 0 } = state
  if (stopAskedAt || gaveUp || closings > 0 || !UNEXPLAINED.test(result.reason)) return []
  return result.recordings
    .filter(({ archiveId, problem, part }) => archiveId === undefined && problem === undefined && part === 1)
    .map(({ name }) => `did not try to start ${name}: ${result.reason}`)
}

/** Reasons of a show that ends because nothing of it runs any more. */
const NOTHING_RUNS = /^(All participants left|Everything had ended)/

/** Finds a show that says that all participants left although some recording ended otherwise, and one that does not say so. */
function emptiedProblems({ state, result }: ShowEvidence): string[] {
  const [, stated] = NOTHING_RUNS.exec(state?.endReason ?? '') ?? []
  if (stated === undefined || !result) return []
  const ended = result.recordings.filter(({ reason, stoppedAt }) => reason && reason !== 'failure' && !stoppedAt)
  const isEmpty = ended.length > 0 && ended.every(({ reason }) => reason === archiveReasons.sessionEnded)
  return isEmpty === stated.startsWith('All') ? [] : [`ended for “${stated}”, and its recordings for other reasons`]
}

/** Finds a refusal of the platform because a session is relayed that the show opened itself. */
function sessionProblems({ request, result }: ShowEvidence): string[] {
  if (!request || !result || request.show.session.id !== undefined) return []
  const problems = [result.reason, ...[...result.recordings, ...result.broadcasts].map(({ problem = '' }) => problem)]
  return problems.filter((one) => /\brelayed\b/.test(one)).map((one) => `opened a session of another kind: ${one}`)
}

/** Finds a state of a show that was ending, and continues. */
const endProblems = (states: readonly ShowState[]) =>
  states
    .filter(({ timeline, status }) => timeline.some(({ what }) => what === 'show.ending') && !ENDED.has(status))
    .map(({ status }) => `was ending, and is ${status} by a version of its state`)
    .slice(0, 1)
