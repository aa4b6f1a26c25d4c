import type { ShowDocument } from '../../lib/show/document/show.ts'
import type { Assembly } from '../../local/cloud/assembly.ts'
import { simulateIn } from '../../local/simulation/simulate.ts'
import type { PolledShow } from './polled-show.ts'
import { type TimedUsage, usageOf } from './usage.ts'

/** The show machine and its children. The sweep and notifications belong to the deployment. */
const MACHINES: ReadonlySet<string> = new Set(['show', 'watch', 'audience'])

/**
 * Simulates the show. The usage is that of the show machine and its child executions.
 * @throws Error when the show does not succeed, or ends too early for meaningful figures
 */
export async function runOrchestrated(assembly: Assembly, polled: PolledShow): Promise<TimedUsage> {
  const { duration } = polled
  const inspect: Parameters<typeof simulateIn<TimedUsage>>[1] = async ({ cloud, executions }, simulation) => {
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
