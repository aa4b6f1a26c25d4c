import { parentPort, workerData } from 'node:worker_threads'
import type { Template } from '../../cloud/assembly.ts'
import { type Scenario, tryScenario } from './trial.ts'

/** Data of a worker. Functions run by their handlers, so the assembly needs no folders. */
export interface WorkerInput {
  readonly stackName: string
  readonly template: Template
  /** URL of a module that exports `scenarioOf`. */
  readonly scenarios: string
}

/** Returns a seed’s scenario, always the same one. */
export type ScenarioOf = (seed: number) => Scenario

process.env = { ...process.env } // the logger reads variables for each line, and those of Node are slow

const { stackName, template, scenarios } = workerData as WorkerInput
const assembly = { stackName, template, assetFolder: () => '' }
const { scenarioOf } = (await import(scenarios)) as { scenarioOf: ScenarioOf }

parentPort?.on('message', (seed: number) => {
  void tryScenario({ assembly, seed, ...scenarioOf(seed) }).then((trial) => parentPort?.postMessage(trial))
})
