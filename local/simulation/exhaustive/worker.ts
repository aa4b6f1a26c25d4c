import { parentPort, workerData } from 'node:worker_threads'
import type { Template } from '../../cloud/assembly.ts'
import type { Case } from './cases.ts'
import { type Faultless, runCase } from './run-cases.ts'

/** Data of a worker. Functions run by their handlers, so the assembly needs no folders. */
export interface WorkerInput {
  readonly stackName: string
  readonly template: Template
  readonly faultless: readonly Faultless[]
}

const { stackName, template, faultless } = workerData as WorkerInput
const assembly = { stackName, template, assetFolder: () => '' }

parentPort?.on('message', async (one: Case) => {
  const without = faultless.find(({ name }) => name === one.reference)
  if (!without) throw new Error(`The reference show ${one.reference} was not run without a fault.`)
  parentPort?.postMessage(await runCase(assembly, one, without))
})
