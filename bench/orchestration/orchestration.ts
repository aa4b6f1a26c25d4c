import type { Assembly } from '../../local/cloud/assembly.ts'
import { type Bench, createBench, type Goal, type Measurement, measurement } from '../bench.ts'
import { runOrchestrated } from './orchestrated-show.ts'
import { type PolledShow, runPolled } from './polled-show.ts'
import { assumed, priceOfUsage, type TimedUsage } from './usage.ts'

export interface OrchestrationOptions {
  readonly synthesize: (signal: AbortSignal) => Promise<Assembly>
  /** The measured show. @default ten hours: six parts of two recordings, and the maximum of one broadcast */
  readonly show?: PolledShow
}

const TEN_HOURS: PolledShow = { duration: 36_000, recordings: 2, broadcasts: 1 }
const MANY_RECORDINGS = 10

/** Compares a long show by the state machines with the same show by poll loops, without faults and media. */
export const createOrchestrationBench = ({ synthesize, show = TEN_HOURS }: OrchestrationOptions): Bench =>
  createBench(
    'a simulated show of ten hours, compared with a poll loop for each of its resources',
    async (onStep, signal) => {
      onStep('synthesizing the stack')
      const assembly = await synthesize(signal)
      onStep('simulating a short show, which loads and compiles what the measured ones use')
      await runOrchestrated(assembly, { ...show, duration: 600 })
      onStep(`simulating it with ${show.recordings} recordings`)
      const ours = await runOrchestrated(assembly, show)
      onStep('running it by poll loops')
      const polled = await runPolled(show)
      onStep(`simulating it with ${MANY_RECORDINGS} recordings`)
      const many = await runOrchestrated(assembly, { ...show, recordings: MANY_RECORDINGS })
      return [...besidePollLoops(ours, polled), ...besideFewer(many, ours, show.recordings)]
    },
  )

function besidePollLoops(ours: TimedUsage, polled: TimedUsage): Measurement[] {
  const compare = (work: string, unit: string, key: keyof TimedUsage, atMost: number) =>
    measurement(`${work}, to poll loops`, unit, ours[key], polled[key], { atMost, of: 'value' })
  const price = `price of both at ${assumed.seconds * 1000} ms an invocation`
  return [
    compare('simulated', 's', 'seconds', 3),
    compare('events to watch one thing', 'events', 'longest', 5_000),
    compare('executions that failed', 'executions', 'failed', 0),
    compare('state transitions', 'states', 'transitions', 2_500),
    compare('invocations', 'calls', 'invocations', 1_300),
    measurement(price, 'US$', priceOfUsage(ours), priceOfUsage(polled)),
  ]
}

/** Measures the cost of more recordings. */
function besideFewer(many: TimedUsage, few: TimedUsage, recordings: number): Measurement[] {
  const compare = (work: string, unit: string, key: keyof TimedUsage, goal?: Goal) =>
    measurement(`${work} with ${MANY_RECORDINGS} recordings, to ${recordings}`, unit, many[key], few[key], goal)
  return [
    compare('state transitions', 'states', 'transitions', { atMost: 1.15 }),
    compare('invocations', 'calls', 'invocations', { atMost: 1.15 }),
    compare('simulated', 's', 'seconds'),
    compare('longest history', 'events', 'longest'),
  ]
}
