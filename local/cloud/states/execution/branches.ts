import { dataLimitExceeded, QueryEvaluationError, StatesError } from '../definition/errors.ts'
import { evaluateAs, type ValueTemplate } from '../definition/expressions.ts'
import { exceedsPayload, MAP_CONCURRENCY } from '../definition/limits.ts'
import type { Machine, MapState, ParallelState } from '../definition/machine.ts'
import { linkAbort } from './abort.ts'
import { emit, type Flow, type InnerFlow, type Iteration, note, type Position } from './flow.ts'
import type { ExecutionHistory } from './history.ts'
import { type StatePayload, toPayload } from './payload.ts'
import { bindingsOf, type StateVisit, type VisitOutcome } from './visit.ts'

export type RunMachine = (flow: Flow, machine: Machine, start: Position) => Promise<StatePayload>

/** Runs all branches at once. The first failure stops the others. */
export async function runParallel(visit: StateVisit<ParallelState>, runMachine: RunMachine): Promise<VisitOutcome> {
  const { state, flow } = visit
  const input = state.arguments ? toPayload(await state.arguments.evaluate(bindingsOf(visit))) : visit.input
  if (exceedsPayload(input.text)) throw dataLimitExceeded(state.name)
  emit(flow, 'ParallelStateStarted')
  const jobs = state.branches.map((machine): Job => ({ machine, input }))
  return runJobs(visit, jobs, { concurrency: jobs.length, tolerates: () => false }, runMachine)
}

/**
 * Runs an inline Map, at most 40 iterations at once.
 * A tolerated failure puts `{ Error, Cause }` in its item's place; AWS documents tolerance for distributed maps only.
 * @throws StatesError `States.ExceedToleratedFailureThreshold` when a tolerance is given and exceeded
 */
export async function runMap(visit: StateVisit<MapState>, runMachine: RunMachine): Promise<VisitOutcome> {
  const { state, flow } = visit
  const bindings = bindingsOf(visit)
  const number = (template: ValueTemplate | undefined, type: 'integer' | 'number', max = Number.MAX_SAFE_INTEGER) =>
    template && evaluateAs<number>(template, bindings, type, { min: 0, max })
  const items = await readItems(visit)
  const jobs: Job[] = []
  for (const [index, value] of items.entries()) jobs.push(await iterationJob(visit, index, value))
  const concurrency = Math.min((await number(state.maxConcurrency, 'integer')) || MAP_CONCURRENCY, MAP_CONCURRENCY)
  const count = await number(state.toleratedFailureCount, 'integer')
  const percentage = await number(state.toleratedFailurePercentage, 'number', 100)
  const isTolerant = count !== undefined || percentage !== undefined
  const tolerates = (failed: number) =>
    isTolerant &&
    failed <= (count ?? Number.POSITIVE_INFINITY) &&
    (failed / items.length) * 100 <= (percentage ?? Number.POSITIVE_INFINITY)
  emit(flow, 'MapStateStarted', { mapStateStartedEventDetails: { length: items.length } })
  try {
    return await runJobs(visit, jobs, { concurrency, tolerates }, runMachine)
  } catch (error) {
    if (!isTolerant || flow.signal.aborted || !(error instanceof StatesError) || error.fatal) throw error
    throw new StatesError(
      'States.ExceedToleratedFailureThreshold',
      'The specified tolerated failure threshold was exceeded',
    )
  }
}

async function readItems(visit: StateVisit<MapState>): Promise<unknown[]> {
  const { items } = visit.state
  if (items) return evaluateAs<unknown[]>(items, bindingsOf(visit), 'array')
  if (Array.isArray(visit.input.value)) return visit.input.value
  throw new QueryEvaluationError(undefined, `Map state input must be an array but was: ${visit.input.text}`)
}

async function iterationJob(visit: StateVisit<MapState>, index: number, value: unknown): Promise<Job> {
  const { itemSelector, processor: machine, name } = visit.state
  const context = { Map: { Item: { Index: index, Value: value } } }
  const input = toPayload(itemSelector ? await itemSelector.evaluate(bindingsOf(visit, undefined, context)) : value)
  if (exceedsPayload(input.text)) throw dataLimitExceeded(name)
  return { machine, input, context, iteration: { name, index } }
}

interface Job {
  readonly machine: Machine
  readonly input: StatePayload
  readonly context?: object
  readonly iteration?: Iteration
}

interface Policy {
  readonly concurrency: number
  /** Returns true if the state continues after so many failures. */
  tolerates(failed: number): boolean
}

async function runJobs(
  visit: StateVisit<ParallelState | MapState>,
  jobs: readonly Job[],
  policy: Policy,
  runMachine: RunMachine,
): Promise<VisitOutcome> {
  const { flow, state } = visit
  const { controller, release } = linkAbort(flow.signal)
  const results: unknown[] = new Array(jobs.length)
  /** Every unfinished flow, including stopped ones. */
  const running = new Set<InnerFlow>()
  const waiting = jobs.map((job, index) => ({ job, index }))
  /** The event that precedes the state’s end. */
  let last = flow.previous
  let failed = 0

  const start = (previous: number) => {
    const next = waiting.shift()
    if (!next) return undefined
    const inner = createInner(flow, next.job, controller.signal, previous)
    running.add(inner)
    flow.inner = [...running]
    if (inner.iteration) emit(inner, 'MapIterationStarted', { mapIterationStartedEventDetails: { ...inner.iteration } })
    return { ...next, inner }
  }
  const run = async (first: ReturnType<typeof start>) => {
    for (let current = first; current; current = start(current.inner.previous)) {
      const { inner, job, index } = current
      const { iteration, signal } = inner
      try {
        const output = await runMachine(inner, job.machine, { state: job.machine.startAt, input: job.input })
        results[index] = output.value
        const details = iteration && { mapIterationSucceededEventDetails: { ...iteration } }
        last = details ? note(inner, 'MapIterationSucceeded', details) : inner.previous
      } catch (error) {
        if (!(error instanceof StatesError) || signal.aborted) throw error
        if (error.fatal || !policy.tolerates(++failed)) throw new Stopped(inner, error)
        reportStopped(flow.history, inner, inner.previous, 'Failed')
        results[index] = { Error: error.name, Cause: error.message }
        last = inner.previous
      }
      running.delete(inner)
      flow.inner = [...running]
    }
  }

  try {
    const first = Array.from({ length: Math.min(policy.concurrency, jobs.length) }, () => start(flow.previous))
    await Promise.all(first.map((job) => run(job).catch((error) => controller.abort(error))))
    flow.signal.throwIfAborted()
    if (controller.signal.aborted) throw stop(flow, running, controller.signal.reason)
  } finally {
    release()
    if (!flow.signal.aborted) flow.inner = []
  }
  flow.previous = last
  note(flow, `${state.type}StateSucceeded`)
  return { exit: state.exit, output: toPayload(results), states: { result: results } }
}

/** Reason for stopping the flows of a state: one of them failed. */
class Stopped extends Error {
  readonly inner: InnerFlow
  readonly failure: StatesError

  constructor(inner: InnerFlow, failure: StatesError) {
    super('another branch failed')
    this.inner = inner
    this.failure = failure
  }
}

function createInner(outer: Flow, job: Job, signal: AbortSignal, previous: number): InnerFlow {
  return {
    surroundings: outer.surroundings,
    history: outer.history,
    signal,
    context: { ...outer.context, ...job.context },
    variables: outer.variables,
    previous,
    open: undefined,
    inner: [],
    iteration: job.iteration,
  }
}

/** Reports every unfinished flow after the failed one’s last event, as AWS does. */
function stop(flow: Flow, running: ReadonlySet<InnerFlow>, reason: unknown): unknown {
  if (!(reason instanceof Stopped)) return reason
  const { inner: culprit, failure } = reason
  flow.previous = culprit.previous
  if (failure.fatal) return failure
  for (const inner of running)
    reportStopped(flow.history, inner, culprit.previous, inner === culprit ? 'Failed' : 'Aborted')
  return failure
}

function reportStopped(history: ExecutionHistory, inner: InnerFlow, previous: number, how: 'Failed' | 'Aborted'): void {
  const { iteration, open } = inner
  if (iteration)
    history.append(`MapIteration${how}`, previous, { [`mapIteration${how}EventDetails`]: { ...iteration } })
  if (open) history.append(`${open}StateAborted`, previous)
  for (const nested of inner.inner) reportStopped(history, nested, previous, 'Aborted')
}
