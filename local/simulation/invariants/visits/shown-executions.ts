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
  readonly stoppedAt?: string
  readonly states: readonly ShownState[]
}

interface ShownState {
  readonly id: number
  readonly name: string
  readonly type: string
  readonly status: string
  readonly enteredAt: string
  readonly exitedAt?: string
  readonly attempts: readonly { readonly startedAt: string; readonly error?: string; readonly cause?: string }[]
}

/**
 * Checks what the API shows of the execution of a show, by its history: its status, every state that it entered and left, the
 * attempts of tasks with their errors and causes, and which states failed. None of an execution that is over runs.
 */
export function shownExecutions({ visits, executions }: Pick<Evidence, 'visits' | 'executions'>): string[] {
  return answersTo<ShownExecution>(visits, /^\/shows\/([^/]+)\/execution/).flatMap(
    ({ captured: [showId = ''], body }) => {
      const found = executions.find(({ machine, name }) => machine === body.machine && name === body.name)
      if (!found) return [`the show ${showId} is shown with the execution ${body.name}, which does not exist`]
      return [
        ...(body.status === STATUSES[found.status] ? [] : [`is shown as ${body.status}, and is ${found.status}`]),
        ...problemsOfStates(body.states, found.history),
        ...(body.stoppedAt !== undefined && body.states.some(({ status }) => status === 'running')
          ? ['is over, and shown with a state that runs']
          : []),
      ].map((problem) => `the execution ${body.name} ${problem}`)
    },
  )
}

/** What an execution has visited, as texts that can be compared. */
interface Visited {
  readonly states: readonly string[]
  readonly exits: readonly string[]
  readonly attempts: readonly string[]
  readonly errors: readonly string[]
  /** The beginning of each. */
  readonly causes: readonly string[]
}
const KINDS = ['states', 'exits', 'attempts', 'errors', 'causes'] as const satisfies readonly (keyof Visited)[]

function problemsOfStates(states: readonly ShownState[], history: readonly HistoryEvent[]): string[] {
  const [shown, recorded] = [shownIn(states), recordedIn(history)]
  const other = KINDS.filter((kind) => shown[kind].toSorted().join() !== recorded[kind].toSorted().join())
  const groups = states.filter(({ type, status }) => /^(Map|Parallel)$/.test(type) && FAILED.test(status)).length
  const failedGroups = history.filter(({ type }) => /^(Map|Parallel)StateFailed$/.test(type)).length
  const unnoted = states.filter(({ attempts, status }) => attempts.at(-1)?.error !== undefined && !FAILED.test(status))
  return [
    ...other.map((kind) => `is shown with ${kind} that its history does not have, or without some`),
    ...(groups === failedGroups ? [] : [`is shown with ${groups} of ${failedGroups} failed groups of states`]),
    ...unnoted.map(({ name, status }) => `is shown with ${name} as ${status}, whose last attempt failed`),
  ]
}

/** Statuses of a state that failed. */
const FAILED = /^(caught|failed)$/

function shownIn(states: readonly ShownState[]): Visited {
  const attempts = states.flatMap((state) => state.attempts)
  return {
    states: states.map(({ id, name, type, enteredAt }) => [id, name, type, enteredAt].join(' ')),
    exits: states.flatMap(({ name, exitedAt }) => (exitedAt === undefined ? [] : `${name} ${exitedAt}`)),
    attempts: attempts.map(({ startedAt }) => startedAt),
    errors: attempts.flatMap(({ error }) => error ?? []),
    causes: attempts.flatMap(({ cause }) => cause?.slice(0, BEGINNING) ?? []),
  }
}

/** Characters of a cause that are compared: long ones are shortened. */
const BEGINNING = 100

/** Events of the attempts of tasks. */
const TASKS = /^(LambdaFunction|Task)/

function recordedIn(history: readonly HistoryEvent[]): Visited {
  const ofTasks = history.filter(({ type }) => TASKS.test(type))
  return {
    states: history.flatMap(({ id, type, timestamp, stateEnteredEventDetails: details }) =>
      details ? [[id, details.name, type.replace('StateEntered', ''), iso(timestamp)].join(' ')] : [],
    ),
    exits: history.flatMap(({ timestamp, stateExitedEventDetails: details }) =>
      details ? [`${details.name} ${iso(timestamp)}`] : [],
    ),
    attempts: ofTasks.flatMap(({ type, timestamp }) => (type.endsWith('Scheduled') ? iso(timestamp) : [])),
    errors: ofTasks.flatMap((event) => failureOf(event)?.error ?? []),
    causes: ofTasks.flatMap((event) => failureOf(event)?.cause?.slice(0, BEGINNING) ?? []),
  }
}

const iso = (time: HistoryEvent['timestamp']) => new Date(time).toISOString()

interface Failure {
  readonly error: string
  readonly cause?: string
}

/** Returns the failure of an attempt; undefined for another event. A time limit has its own error. */
function failureOf(event: HistoryEvent): Failure | undefined {
  if (!/(Failed|TimedOut)$/.test(event.type)) return undefined
  const details = Object.entries(event).find(([name]) => name.endsWith('EventDetails'))?.[1]
  return { error: 'States.Timeout', ...(details as Partial<Failure> | undefined) }
}
