import type { ShowDocument } from '../../lib/show/document/show.ts'
import type { Assembly } from '../../local/cloud/assembly.ts'
import { simulateIn } from '../../local/simulation/simulate.ts'
import type { PolledShow } from './polled-show.ts'
import { type Usage, usageOf } from './usage.ts'

/** Usage of the show machine and its child executions. */
export interface Orchestrated extends Usage {
  /** Seconds on this machine’s clock. */
  readonly seconds: number
}

/** The show machine and its children. The sweep and notifications belong to the deployment. */
const MACHINES: ReadonlySet<string> = new Set(['show', 'watch', 'audience'])

/**
 * Simulates the show.
 * @throws Error when the show does not succeed, or ends too early for meaningful figures
 */
export async function runOrchestrated(assembly: Assembly, polled: PolledShow): Promise<Orchestrated> {
  const { duration } = polled
  const inspect: Parameters<typeof simulateIn<Orchestrated>>[1] = async ({ cloud, executions }, simulation) => {
    const { status, result, virtualSeconds, seconds } = simulation
    if (status !== 'succeeded' || virtualSeconds < duration)
      throw new Error(`The show of the bench ${status} after ${virtualSeconds} s: ${result?.reason ?? 'no result'}`)
    const own = executions.all.filter(({ machine }) => MACHINES.has(machine))
    return { ...usageOf(cloud.stepFunctions, own), seconds }
  }
  return simulateIn({ assembly, show: documentOf(polled), seed: 1, participants: [{ name: 'Ada' }] }, inspect)
}

const documentOf = ({ duration, recordings, broadcasts }: PolledShow): ShowDocument => ({
  version: 1,
  name: 'Bench',
  duration,
  recordings: Array.from({ length: recordings }, (_, index) => ({ name: `recording-${index}` })),
  broadcasts: Array.from({ length: broadcasts }, (_, index) => ({ name: `broadcast-${index}`, hls: {} })),
})
