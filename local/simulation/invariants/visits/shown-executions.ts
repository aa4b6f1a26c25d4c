import type { HistoryEvent } from '../../../cloud/states/execution/history.ts'
import type { Evidence } from '../evidence.ts'
import { answersTo } from './recorded-documents.ts'

const STATUSES: Readonly<Record<string, string>> = {
  RUNNING: 'running',
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  TIMED_OUT: 'timedOut',
  ABORTED: 'aborted',
}

interface ShownExecution {
  readonly machine: string
  readonly name: string
  readonly status: string
  readonly states: readonly ShownState[]
}

interface ShownState {
  readonly id: number
  readonly name: string
  readonly type: string
  readonly status: string
  readonly enteredAt: string
  readonly exitedAt?: string
  readonly attempts: readonly { readonly startedAt: string; readonly error?: string }[]
}

/**
 * Checks what the API shows of the execution of a show, by its history: its status, every state that it entered and left, the attempts
 * of tasks with their errors, and which states failed.
 */
export function shownExecutions({ visits, executions }: Pick<Evidence, 'visits' | 'executions'>): string[] {
  return answersTo<ShownExecution>(visits, /^\/shows\/([^/]+)\/execution/).flatMap(
    ({ captured: [showId = ''], body }) => {
      const found = executions.find(({ machine, name }) => machine === body.machine && name === body.name)
      if (!found) return [`the show ${showId} is shown with the execution ${body.name}, which does not exist`]
      return [
        ...(body.status === STATUSES[found.status] ? [] : [`is shown as ${body.status}, and is ${found.status}`]),
        ...problemsOfStates(body.states, found.history),
      ].map((problem) => `the execution ${body.name} ${problem}`)
    },
  )
}

function problemsOfStates(states: readonly ShownState[], history: readonly HistoryEvent[]): string[] {
  const entered = history.flatMap(({ id, type, timestamp, stateEnteredEventDetails: details }) =>
    details ? [[id, details.name, type.replace('StateEntered', ''), iso(timestamp)].join(' ')] : [],
  )
  const exited = history.flatMap(({ timestamp, stateExitedEventDetails: details }) =>
    details ? [`${details.name} ${iso(timestamp)}`] : [],
  )
  const attempts = states.flatMap((state) => state.attempts)
  const isTask = /^(LambdaFunction|Task)/
  const scheduled = history.filter(({ type }) => isTask.test(type) && type.endsWith('Scheduled'))
  const errors = history.filter(({ type }) => isTask.test(type)).flatMap((event) => errorOf(event) ?? [])
  const failed = history.filter(({ type }) => /^(Map|Parallel)StateFailed$/.test(type))
  const shownFailed = states.filter(
    ({ type, status }) => (type === 'Map' || type === 'Parallel') && /^(caught|failed)$/.test(status),
  )
  const unnoted = states.filter(
    (state) => state.attempts.at(-1)?.error !== undefined && !/^(caught|failed)$/.test(state.status),
  )
  const compare = (what: string, shown: readonly string[], recorded: readonly string[]) =>
    shown.toSorted().join() === recorded.toSorted().join()
      ? []
      : [`is shown with ${what} that its history does not have, or without some`]
  return [
    ...compare(
      'states',
      states.map(({ id, name, type, enteredAt }) => [id, name, type, enteredAt].join(' ')),
      entered,
    ),
    ...compare(
      'exits',
      states.flatMap(({ name, exitedAt }) => (exitedAt === undefined ? [] : `${name} ${exitedAt}`)),
      exited,
    ),
    ...compare(
      'attempts',
      attempts.map(({ startedAt }) => startedAt),
      scheduled.map(({ timestamp }) => iso(timestamp)),
    ),
    ...compare(
      'errors',
      attempts.flatMap(({ error }) => error ?? []),
      errors,
    ),
    ...(shownFailed.length === failed.length
      ? []
      : [`is shown with ${shownFailed.length} of ${failed.length} failed groups of states`]),
    ...unnoted.map(({ name, status }) => `is shown with ${name} as ${status}, whose last attempt failed`),
  ]
}

const iso = (time: HistoryEvent['timestamp']) => new Date(time).toISOString()

/** Returns the error of a failed attempt; undefined for another event. A time limit has its own. */
function errorOf(event: HistoryEvent): string | undefined {
  if (!/(Failed|TimedOut)$/.test(event.type)) return undefined
  const details = Object.entries(event).find(([name]) => name.endsWith('EventDetails'))?.[1]
  return (details as { readonly error?: string } | undefined)?.error ?? 'States.Timeout'
}
