import type { Chaos } from './chaos.ts'
import type { ChaosTargets } from './chaos-targets.ts'

/**
 * Interrupts the connections of the RTMP outputs that run at a time. The platform renews them, so that each output is
 * `connecting` for some seconds.
 */
export function interruptOutputs(
  { seconds }: NonNullable<Chaos['unstableOutputs']>[number],
  { platform, resources, clock, scheduler, faults }: ChaosTargets,
): void {
  const latest = new Map(resources.changes.map((one) => [one.id, one]))
  const outputs = [...latest.values()]
    .filter(({ kind, status }) => kind === 'broadcast' && status === 'started')
    .flatMap(({ id, rtmpTargets = [] }) => rtmpTargets.map((target) => ({ id, target })))
  if (!platform.isUp || outputs.length === 0) return
  faults.record('interrupted outputs', `${outputs.length} outputs lose their connections for ${seconds} s`)
  const move = (link: 'connecting' | 'live') => {
    for (const { id, target } of outputs) platform.breaking.rtmpLink(id, target, link)
  }
  move('connecting')
  clock.at(clock.now() + seconds * 1000, () => void scheduler.pass(async () => move('live')).catch(() => {}))
}
