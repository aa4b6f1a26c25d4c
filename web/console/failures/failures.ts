import type { ExecutionAnswer, KnownRecording, ListedDelivery, Show, TimelineEvent } from '../answers.ts'
import { eventLabel, partLabel } from '../labels.ts'
import { isShowOver } from '../model.ts'
import { adviceOn, type FailureCode, failureAdvice } from './failure-advice.ts'

/** A failure of a show, with its advice under its code. */
export interface Failure {
  readonly key: string
  readonly code: FailureCode
  readonly title: string
  /** ISO 8601. */
  readonly since?: string | undefined
  /** When the show had survived it. Absent while it lasts. */
  readonly until?: string | undefined
  /** Reason that the API states. */
  readonly detail?: string | undefined
}

/** Answers of the API about a show. */
export interface FailureSources {
  readonly show: Show
  readonly recordings: readonly KnownRecording[]
  /** The execution of the show and its running children. */
  readonly executions: readonly ExecutionAnswer[]
  readonly deliveries: readonly ListedDelivery[]
}

/** Milliseconds past its planned end after which a show is overdue, as the alarm counts them. */
const OVERDUE_MS = 30 * 60_000

/** Events that end a failure of the same name, and of the same output. */
const ENDED_BY: Partial<Record<FailureCode, readonly string[]>> = {
  'recording.failed': ['recording.started', 'recording.resumed', 'recording.arrived'],
  'broadcast.failed': ['broadcast.started', 'broadcast.live'],
  'output.reconnecting': ['output.recovered', 'output.live', 'output.failed'],
  'output.failed': ['output.recovered', 'output.live'],
  'scene.failed': ['scene.started'],
  'dialIn.failed': ['dialIn.started'],
  'dialIn.unknown': ['dialIn.started'],
}

/**
 * Returns what is wrong with a show, the newest first: what lasts, then what the show has survived. Once the show is over, only
 * what a person can still act on is left.
 * @param now milliseconds since the epoch
 */
export function failuresOf({ show, recordings, executions, deliveries }: FailureSources, now: number): Failure[] {
  const all: Failure[] = [
    ...failuresOfShow(show, now),
    ...executions.flatMap(failuresOfTasks),
    ...failuresOfEvents(show),
    ...failuresOfRecordings(show, recordings),
    ...deliveries.flatMap(failureOfDelivery),
  ]
  const isShown = ({ code, until }: Failure) =>
    !isShowOver(show) || (until === undefined && adviceOn(code).isAfterwards === true)
  const newestFirst = all.filter(isShown).sort((one, other) => (other.since ?? '').localeCompare(one.since ?? ''))
  return [
    ...newestFirst.filter(({ until }) => until === undefined),
    ...newestFirst.filter(({ until }) => until !== undefined),
  ]
}

function failuresOfShow({ status, endedAt, plannedEndAt, result, endReason }: Show, now: number): Failure[] {
  if (status === 'failed') {
    const detail = result?.reason ?? endReason
    return [{ key: 'show', code: 'show.failed', title: 'The show has failed', since: endedAt, detail }]
  }
  const isOverdue = plannedEndAt !== undefined && now > Date.parse(plannedEndAt) + OVERDUE_MS
  if (isShowOver({ status }) || status === 'scheduled' || !isOverdue) return []
  return [{ key: 'overdue', code: 'show.overdue', title: 'The show is overdue', since: plannedEndAt }]
}

/** Returns the tasks that failed and are being retried, or have succeeded since. */
function failuresOfTasks({ machine, name: execution, states }: ExecutionAnswer): Failure[] {
  return states.flatMap(({ id, name, status, exitedAt, attempts }) => {
    const failed = attempts.filter(({ error }) => error !== undefined)
    const last = failed.at(-1)
    if (!last || (status !== 'running' && status !== 'succeeded')) return []
    return {
      key: `${execution} ${id}`,
      code: last.error === 'PlatformAuthError' ? 'task.refused' : 'task.retried',
      title: `The task ${name} of the machine ${machine} ${status === 'running' ? 'fails' : 'failed'}`,
      since: failed[0]?.endedAt ?? failed[0]?.startedAt,
      until: status === 'succeeded' ? exitedAt : undefined,
      detail: [last.error, last.cause].filter(Boolean).join(': '),
    }
  })
}

const isCode = (what: string): what is FailureCode => what in failureAdvice

function failuresOfEvents({ timeline, status, result }: Show): Failure[] {
  const lost = result?.recordings.filter((one) => one.lost) ?? []
  return timeline.flatMap((event, index): Failure[] => {
    const { what, name, part, id, at, detail } = event
    if (!isCode(what) || (what === 'secret.invalid' && status !== 'scheduled')) return []
    if (what === 'recording.failed' && lost.some((one) => one.name === name && one.part === part)) return []
    const end = timeline.slice(index + 1).find((later) => endsFailure(what, event, later))
    // A lost connection that became a failure is one failure.
    if (what === 'output.reconnecting' && end?.what === 'output.failed') return []
    const key = [what, name, part, id, at].join(' ')
    return [{ key, code: what, title: eventLabel({ at, what, name, part, id }), since: at, until: end?.at, detail }]
  })
}

function endsFailure(code: FailureCode, failed: TimelineEvent, later: TimelineEvent): boolean {
  const isOfSame = later.name === failed.name && (later.part ?? 1) >= (failed.part ?? 1)
  const isOutput = code.startsWith('output.')
  return isOfSame && ENDED_BY[code]?.includes(later.what) === true && (!isOutput || later.id === failed.id)
}

function failuresOfRecordings({ status, recordings, result, endedAt }: Show, known: readonly KnownRecording[]) {
  const failures: Failure[] = []
  for (const { tag, archiveId, ...part } of recordings) {
    const name = partLabel(part)
    const outcome = result?.recordings.find((one) => one.tag === tag)
    const published = known.find((one) => archiveId !== undefined && one.archiveId === archiveId)
    const add = (code: FailureCode, title: string, since?: string, detail?: string) =>
      failures.push({ key: `${code} ${tag}`, code, title: `Recording ${name} ${title}`, since, detail })
    // The reason of a cancelled show says why nothing was recorded, so nothing is lost.
    if (outcome?.lost && status !== 'cancelled') add('recording.lost', 'is lost', endedAt, outcome.lost)
    else if (part.status === 'available' && !part.rescued && !outcome) add('recording.stranded', 'was not uploaded')
    if (published?.status === 'failed')
      add('recording.unpublished', 'is not published', published.createdAt, published.message)
    else if (published?.message) add('recording.damaged', 'lacks some formats', published.createdAt, published.message)
    if (published?.withheld && !published.withheld.acceptedAt)
      add(
        'recording.withheld',
        'has another file, which is withheld',
        published.withheld.since,
        published.withheld.differences.join(' '),
      )
  }
  return failures
}

function failureOfDelivery({ deliveryId, status, event, attempts }: ListedDelivery): Failure[] {
  if (status !== 'failing' && status !== 'refused') return []
  const last = attempts.at(-1)
  return [
    {
      key: deliveryId,
      code: status === 'failing' ? 'delivery.failing' : 'delivery.refused',
      title: `The app ${status === 'failing' ? 'does not accept' : 'refuses'} ${event.event}`,
      since: attempts[0]?.at,
      detail: last && (last.status === undefined ? last.problem : `It answered ${last.status}.`),
    },
  ]
}
