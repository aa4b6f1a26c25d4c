import type { HistoryEvent } from '@aws-sdk/client-sfn'

/** One attempt of a task. */
export interface Attempt {
  readonly startedAt: string
  endedAt?: string
  error?: string
  cause?: string
}

/** One visit to a state. Times are in ISO 8601, payloads are JSON texts. */
export interface VisitedState {
  /** Id of the event with which it was entered. */
  readonly id: number
  /** The Map or Parallel state in which it ran. */
  readonly parent?: VisitedState
  readonly name: string
  readonly type: string
  /** Index of the item of a Map, from 0. */
  readonly iteration?: number
  readonly enteredAt: string
  readonly input?: string
  exitedAt?: string
  output?: string
  /** True for a Map or Parallel state that failed. */
  hasFailed?: true
  /** True for a state of a branch or an item that the end of the execution interrupted. A redrive visits another one. */
  isInterrupted?: true
  readonly attempts: Attempt[]
  /** ARN of the child execution that a task has started. */
  childArn?: string
}

/** The state that an event belongs to, and the item of its Map. */
interface Place {
  readonly visit?: VisitedState | undefined
  readonly iteration?: number | undefined
}

/** Returns the states that an execution has visited, in the order in which they were entered. */
export function visitedStates(events: readonly HistoryEvent[]): VisitedState[] {
  const visits: VisitedState[] = []
  const places = new Map<number, Place>()
  for (const event of events) {
    const before = places.get(event.previousEventId ?? 0) ?? {}
    const type = event.type ?? ''
    if (type.endsWith('StateEntered')) {
      const visit = enter(event, before)
      visits.push(visit)
      places.set(event.id ?? 0, { visit, iteration: visit.iteration })
    } else if (type === 'ExecutionRedriven') places.set(event.id ?? 0, { visit: resume(visits) })
    else places.set(event.id ?? 0, placeAfter(event, type, before))
    if (/^Execution(Failed|TimedOut|Aborted)$/.test(type)) interrupt(visits, timeOf(event))
  }
  return visits
}

/** Returns the state in which a redrive resumes: the one that the execution had not left. */
function resume(visits: readonly VisitedState[]): VisitedState | undefined {
  const visit = visits.find(({ parent, exitedAt }) => !parent && exitedAt === undefined)
  if (visit) delete visit.hasFailed
  return visit
}

/** Ends what ran when the execution ended. */
function interrupt(visits: readonly VisitedState[], at: string): void {
  for (const visit of visits.filter(({ exitedAt }) => exitedAt === undefined)) {
    const last = visit.attempts.at(-1)
    if (last) last.endedAt ??= at
    if (visit.parent) visit.isInterrupted = true
  }
}

function enter(event: HistoryEvent, { visit: before, iteration }: Place): VisitedState {
  const { name = '', input } = event.stateEnteredEventDetails ?? {}
  const isNext = before?.exitedAt !== undefined
  const parent = isNext ? before?.parent : before
  const item = isNext ? before?.iteration : iteration
  return {
    id: event.id ?? 0,
    name,
    type: (event.type ?? '').replace('StateEntered', ''),
    enteredAt: timeOf(event),
    attempts: [],
    ...(parent && { parent }),
    ...(item !== undefined && { iteration: item }),
    ...(input !== undefined && { input }),
  }
}

/** Notes an event in the visit that it belongs to, and returns its place. */
function placeAfter(event: HistoryEvent, type: string, before: Place): Place {
  const group = /^(Map|Parallel)(State|Iteration)(Started|Succeeded|Failed|Aborted|$)/.exec(type)
  if (type.endsWith('StateExited')) {
    const { name, output } = event.stateExitedEventDetails ?? {}
    const visit = climb(before.visit, (one) => one.name === name && one.exitedAt === undefined)
    if (visit) Object.assign(visit, { exitedAt: timeOf(event) }, output !== undefined && { output })
    return { visit, iteration: visit?.iteration }
  }
  if (group) {
    const visit = climb(before.visit, (one) => one.type === group[1] && one.exitedAt === undefined)
    if (visit && group[2] === 'State' && group[3] === 'Failed') visit.hasFailed = true
    return { visit, iteration: event.mapIterationStartedEventDetails?.index }
  }
  if (before.visit) noteAttempt(before.visit, type, event)
  return before
}

function noteAttempt(visit: VisitedState, type: string, event: HistoryEvent): void {
  const at = timeOf(event)
  if (/^(LambdaFunction|Task)Scheduled$/.test(type)) visit.attempts.push({ startedAt: at })
  const last = visit.attempts.at(-1)
  if (!last) return
  const [, end] = /^(?:LambdaFunction|Task)(Succeeded|\w*Failed|TimedOut)$/.exec(type) ?? []
  if (end) last.endedAt = at
  if (end && end !== 'Succeeded') {
    const { error = 'States.Timeout', cause } = failureOf(event)
    Object.assign(last, { error }, cause !== undefined && { cause })
  }
  const { output } = event.taskSubmittedEventDetails ?? event.taskSucceededEventDetails ?? {}
  const childArn = childIn(output)
  if (childArn) visit.childArn = childArn
}

/** Returns the error in the details of an event, whose field is named after its type. */
function failureOf(event: HistoryEvent): { readonly error?: string; readonly cause?: string } {
  const [, details = {}] = Object.entries(event).find(([name]) => name.endsWith('EventDetails')) ?? []
  return details
}

/** Returns the execution that an answer of Step Functions names. A task that does not wait for it has no other event. */
function childIn(output = '{}'): string | undefined {
  const { ExecutionArn } = JSON.parse(output) ?? {}
  return typeof ExecutionArn === 'string' ? ExecutionArn : undefined
}

function climb(visit: VisitedState | undefined, isMeant: (one: VisitedState) => boolean): VisitedState | undefined {
  for (let one = visit; one; one = one.parent) if (isMeant(one)) return one
  return undefined
}

const timeOf = ({ timestamp }: HistoryEvent) => (timestamp ?? new Date(0)).toISOString()
