import { Worker } from 'node:worker_threads'
import type { ShowsProgress, ShowsReport, SimulateShowsOptions } from './simulate-shows.ts'
import type { ShowsWorkerInput, ShowsWorkerMessage } from './worker.ts'

export interface RunShowsOptions extends SimulateShowsOptions {
  /** Ends the run without a report. */
  readonly signal?: AbortSignal
}

/** Megabytes of objects that the world may hold at once. */
const MAX_MEGABYTES = 4_096
/** Megabytes of new objects. Most die young, so collections that are rare copy little. */
const YOUNG_MEGABYTES = 192

/**
 * Simulates many shows in a separate thread, so that the command can be interrupted and its memory is bounded. Returns
 * undefined if it was interrupted.
 * @throws Error when the simulation fails
 */
export function runShows(options: RunShowsOptions): Promise<ShowsReport | undefined> {
  const { assembly, onProgress, signal, ...rest } = options
  const workerData: ShowsWorkerInput = { ...rest, stackName: assembly.stackName, template: assembly.template }
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES, maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
  })
  return new Promise<ShowsReport | undefined>((resolve, reject) => {
    signal?.addEventListener('abort', () => resolve(undefined), { once: true })
    worker.on('error', reject)
    worker.on('exit', (code) => reject(new Error(`The simulation’s thread exited with code ${code}.`)))
    worker.on('message', (message: ShowsWorkerMessage) => {
      if ('report' in message) resolve(message.report)
      else onProgress?.(message.progress satisfies ShowsProgress)
    })
  }).finally(() => worker.terminate())
}
