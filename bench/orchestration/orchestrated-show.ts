import type { ShowDocument } from '../../lib/show/document/show.ts'
import type { Assembly } from '../../local/cloud/assembly.ts'
import { simulateIn } from '../../local/simulation/simulate.ts'
import type { PolledShow } from './polled-show.ts'
import { type Usage, usageOf } from './usage.ts'

/** What the show machine and its children have taken. */
export interface Orchestrated extends Usage {
  /** On this machine's clock. */
  readonly seconds: number
}

/** The show machine and those that it runs; the sweep and what tells the owner are the deployment's. */
const MACHINES: ReadonlySet<string> = new Set(['show', 'watch', 'audience'])

/** @throws Error when the show does not succeed, or lasts less than it should: its figures would be no figures */
export async function runOrchestrated(assembly: Assembly, polled: PolledShow): Promise<Orchestrated> {
  const { duration } = polled
  const look: Parameters<typeof simulateIn<Orchestrated>>[1] = async ({ cloud, executions }, simulation) => {
    const { status, result, virtualSeconds, seconds } = simulation
    if (status !== 'succeeded' || virtualSeconds < duration)
      throw new Error(`The show of the bench ${status} after ${virtualSeconds} s: ${result?.reason ?? 'no result'}`)
    const own = executions.all.filter(({ machine }) => MACHINES.has(machine))
    return { ...usageOf(cloud.stepFunctions, own), seconds }
  }
  return simulateIn({ assembly, show: documentOf(polled), seed: 1, guests: [{ name: 'Ada' }] }, look)
}

const documentOf = ({ duration, recordings, broadcasts }: PolledShow): ShowDocument => ({
  version: 1,
  name: 'Bench',
  duration,
  recordings: Array.from({ length: recordings }, (_, index) => ({ name: `recording-${index}` })),
  broadcasts: Array.from({ length: broadcasts }, (_, index) => ({ name: `broadcast-${index}`, hls: {} })),
})
