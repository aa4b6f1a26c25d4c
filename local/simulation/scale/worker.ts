import { parentPort, workerData } from 'node:worker_threads'
import type { Template } from '../../cloud/assembly.ts'
import { type ShowsProgress, type ShowsReport, type SimulateShowsOptions, simulateShows } from './simulate-shows.ts'

/** Data of the worker. Functions run by their handlers, so the assembly needs no folders. */
export interface ShowsWorkerInput extends Omit<SimulateShowsOptions, 'assembly' | 'onProgress'> {
  readonly stackName: string
  readonly template: Template
}

export type ShowsWorkerMessage = { readonly progress: ShowsProgress } | { readonly report: ShowsReport }

Error.stackTraceLimit = 1 // thousands of polls are refused, and stacks cost more than the refusals
process.env = { ...process.env } // the logger reads variables for each line, and those of Node are slow

const { stackName, template, ...options } = workerData as ShowsWorkerInput
const post = (message: ShowsWorkerMessage) => parentPort?.postMessage(message)

const report = await simulateShows({
  ...options,
  assembly: { stackName, template, assetFolder: () => '' },
  onProgress: (progress) => post({ progress }),
})
post({ report })
