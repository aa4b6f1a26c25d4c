import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Assembly } from '../../cloud/assembly.ts'
import { addCoverages, type Coverage, noCoverage } from '../coverage/coverage.ts'
import type { Outcomes } from '../outcomes/recorded-outcomes.ts'
import type { Trial } from './trial.ts'
import type { WorkerInput } from './worker.ts'

export interface RunSeedsOptions {
  readonly assembly: Assembly
  /** URL of a module that exports `scenarioOf(seed): Scenario`. */
  readonly scenarios: URL
  readonly first: number
  readonly count: number
  /** Number of threads. @default one for each core */
  readonly threads?: number
  /** Called after each seed, in no order. */
  readonly onTrial?: (trial: Trial, done: number) => void
  /** Ends the run without the seeds under way. */
  readonly signal?: AbortSignal
}

export interface SeedsReport {
  readonly seeds: number
  readonly virtualHours: number
  /** Seconds on this machine’s clock. */
  readonly seconds: number
  readonly faults: Readonly<Record<string, number>>
  readonly coverage: Coverage
  /** Violations, sorted by seed. */
  readonly broken: readonly { readonly seed: number; readonly invariant: string; readonly detail: string }[]
  /** Outcomes of the seeds that finished, sorted by seed. */
  readonly outcomes: Outcomes
}

/** Simulates `count` seeds from `first` in several threads, and checks the invariants of each. */
export async function runSeeds(options: RunSeedsOptions): Promise<SeedsReport> {
  const { first, count, threads = availableParallelism(), onTrial, signal } = options
  const began = performance.now()
  const trials: Trial[] = []
  let next = first
  const take = () => (next < first + count && !signal?.aborted ? next++ : undefined)
  const note = (trial: Trial) => {
    trials.push(trial)
    onTrial?.(trial, trials.length)
  }
  await Promise.all(Array.from({ length: Math.min(threads, count) }, () => work(options, take, note)))
  return summarize(trials, (performance.now() - began) / 1000)
}

/** Runs the seeds of one thread. A thread that fails, or whose seed does not finish, is replaced. */
async function work(options: RunSeedsOptions, take: () => number | undefined, note: (trial: Trial) => void) {
  for (let seed = take(); seed !== undefined; ) {
    const worker = startWorker(options)
    const stop = () => void worker.terminate()
    options.signal?.addEventListener('abort', stop, { once: true })
    try {
      while (seed !== undefined) {
        const trial = await ask(worker, seed)
        if (options.signal?.aborted) return
        note(trial)
        seed = take()
        if (!trial.outcome) break
      }
    } finally {
      options.signal?.removeEventListener('abort', stop)
      await worker.terminate()
    }
  }
}

function startWorker({ assembly: { stackName, template }, scenarios }: RunSeedsOptions): Worker {
  const workerData: WorkerInput = { stackName, template, scenarios: scenarios.href }
  const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MEGABYTES }
  return new Worker(new URL('./worker.ts', import.meta.url), { workerData, resourceLimits })
}

/** Megabytes of new objects of a thread. Most die young, so collections that are rare copy little. */
const YOUNG_MEGABYTES = 192

/** Runs a seed in a thread. Resolves with a trial that reports the failure if the thread ends. */
function ask(worker: Worker, seed: number): Promise<Trial> {
  return new Promise((resolve) => {
    const settle = (trial: Trial) => {
      worker.off('message', settle).off('error', fail).off('exit', exit)
      resolve(trial)
    }
    const failThread = (detail: string) =>
      settle({
        seed,
        virtualSeconds: 0,
        status: 'unreported',
        faults: {},
        coverage: noCoverage,
        broken: [{ invariant: 'simulation', detail }],
      })
    const fail = (error: Error) => failThread(`The thread failed: ${error.message}`)
    const exit = (code: number) => failThread(`The thread exited with code ${code}.`)
    worker.on('message', settle).on('error', fail).on('exit', exit)
    worker.postMessage(seed)
  })
}

function summarize(trials: readonly Trial[], seconds: number): SeedsReport {
  const faults: Record<string, number> = {}
  for (const trial of trials)
    for (const [kind, times] of Object.entries(trial.faults)) faults[kind] = (faults[kind] ?? 0) + times
  const sorted = trials.toSorted((one, other) => one.seed - other.seed)
  return {
    seeds: trials.length,
    virtualHours: trials.reduce((sum, { virtualSeconds }) => sum + virtualSeconds, 0) / 3_600,
    seconds,
    faults,
    coverage: addCoverages(trials.map(({ coverage }) => coverage)),
    broken: sorted.flatMap(({ seed, broken }) => broken.map((one) => ({ seed, ...one }))),
    outcomes: new Map(sorted.flatMap(({ seed, outcome }) => (outcome ? [[seed, outcome] as const] : []))),
  }
}
