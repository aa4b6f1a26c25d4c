import { parentPort, workerData } from 'node:worker_threads'
import type { Template } from '../../cloud/assembly.ts'
import type { Trial, tryScenario } from '../runner/trial.ts'
import type { ScenarioOf } from '../runner/worker.ts'
import { startCoverage } from './coverage.ts'
import { importMutated, urlOf } from './mutated-modules.ts'

/** A position whose executions are counted. */
export interface Point {
  readonly file: string
  readonly start: number
}

export interface WorkerInput {
  /** Root of the repository, with a slash at its end. */
  readonly root: string
  readonly stackName: string
  /** Counts how often each seed reaches these points. @default counts nothing */
  readonly points?: readonly Point[] | undefined
}

/** A seed to be simulated with a mutant. */
export interface Order {
  readonly seed: number
  /** Number of the mutant. A thread has one after the other. */
  readonly number: number
  readonly template: Template
  /** The modules that see the change, as JavaScript, by path. A thread needs them with the first seed of a mutant. */
  readonly modules: Readonly<Record<string, string>>
}

export interface Answer {
  readonly trial: Pick<Trial, 'seed' | 'broken' | 'outcome'>
  readonly reached?: Reached
}

/** Executions of each point. */
interface Reached {
  readonly bySeed: readonly number[]
  readonly byLoading: readonly number[]
  /** Lines of the trace: how much the seed has to simulate. */
  readonly steps: number
}

const { root, stackName, points } = workerData as WorkerInput
const coverage = points && (await startCoverage(points.map(({ file, start }) => ({ url: urlOf(root, file), start }))))
const importAs = importMutated()

interface Simulation {
  readonly tryScenario: typeof tryScenario
  readonly scenarioOf: ScenarioOf
}

let loaded: { readonly number: number; readonly simulation: Promise<Simulation> } | undefined
let byLoading: readonly number[] = []

async function load({ number, modules }: Order): Promise<Simulation> {
  const mutant = {
    number,
    modules: Object.fromEntries(Object.entries(modules).map(([file, text]) => [urlOf(root, file), text])),
  }
  const imported = await Promise.all([
    importAs(new URL('../runner/trial.ts', import.meta.url), mutant),
    importAs(new URL('../runner/scenario.ts', import.meta.url), mutant),
  ])
  const handlers = await importAs(new URL('../environment/handlers.ts', import.meta.url), mutant)
  await (handlers as { loadHandlers(): Promise<unknown> }).loadHandlers()
  if (coverage) byLoading = await coverage.take()
  return Object.assign({}, ...imported) as Simulation
}

async function answer(order: Order): Promise<Answer> {
  const { seed, number, template } = order
  if (loaded?.number !== number) loaded = { number, simulation: load(order) }
  const { tryScenario, scenarioOf } = await loaded.simulation
  const assembly = { stackName, template, assetFolder: () => '' }
  let steps = 0
  const { broken, outcome } = await tryScenario(
    { assembly, seed, ...scenarioOf(seed) },
    {
      onTrace: (lines) => {
        steps = lines.length
      },
    },
  )
  const trial = { seed, broken, ...(outcome && { outcome }) }
  return coverage ? { trial, reached: { bySeed: await coverage.take(), byLoading, steps } } : { trial }
}

parentPort?.on('message', (order: Order) => {
  answer(order).then(
    (done) => parentPort?.postMessage(done),
    (error: Error) => {
      const broken = [{ invariant: 'simulation', detail: `It cannot be simulated: ${error.message}` }] as const
      parentPort?.postMessage({ trial: { seed: order.seed, broken } } satisfies Answer)
    },
  )
})
