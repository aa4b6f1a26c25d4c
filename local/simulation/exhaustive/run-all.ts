import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Assembly } from '../../cloud/assembly.ts'
import { casesOf } from './cases.ts'
import { type CaseOutcome, type Faultless, runFaultless } from './run-cases.ts'
import type { WorkerInput } from './worker.ts'

export interface RunAllOptions {
  readonly assembly: Assembly
  /** Number of threads. @default one for each core */
  readonly threads?: number
  /** Called with each outcome, in no order. */
  readonly onOutcome?: (outcome: CaseOutcome, done: number, of: number) => void
  /** Ends the run without the cases under way. */
  readonly signal?: AbortSignal
}

/** Tries every single fault, in several threads. Returns the outcomes in the order of the cases. */
export async function runAllCases(options: RunAllOptions): Promise<readonly CaseOutcome[]> {
  const { assembly, threads = availableParallelism(), onOutcome, signal } = options
  const { faultless, sites } = await runFaultless(assembly)
  const cases = casesOf(sites)
  const outcomes: CaseOutcome[] = []
  const queue = cases.entries()
  let done = 0
  const work = async () => {
    const worker = startWorker(assembly, faultless)
    try {
      for (const [index, one] of queue) {
        signal?.throwIfAborted()
        worker.postMessage(one)
        const [outcome] = (await once(worker, 'message', signal ? { signal } : {})) as [CaseOutcome]
        outcomes[index] = outcome
        onOutcome?.(outcome, ++done, cases.length)
      }
    } finally {
      await worker.terminate()
    }
  }
  await Promise.all(Array.from({ length: threads }, work))
  return outcomes
}

function startWorker({ stackName, template }: Assembly, faultless: readonly Faultless[]): Worker {
  const workerData: WorkerInput = { stackName, template, faultless }
  return new Worker(new URL('./worker.ts', import.meta.url), { workerData })
}
