import type { Assembly } from '../../local/cloud/assembly.ts'
import type { Bench, Measurement } from '../bench.ts'
import { type Orchestrated, runOrchestrated } from './orchestrated-show.ts'
import { type Polled, type PolledShow, runPolled } from './polled-show.ts'
import { assumed, priceOfUsage } from './price-of-usage.ts'

export interface OrchestrationOptions {
  /** Synthesizes the assembly that is simulated. */
  readonly synthesize: (signal: AbortSignal) => Promise<Assembly>
  /** The measured show. @default ten hours: six parts of two recordings, and the maximum of one broadcast */
  readonly show?: PolledShow
}

const TEN_HOURS: PolledShow = { duration: 36_000, recordings: 2, broadcasts: 1 }
const MANY_RECORDINGS = 10

/** Compares a long show by the state machines with the same show by poll loops, without faults and media. */
export const createOrchestrationBench = ({ synthesize, show = TEN_HOURS }: OrchestrationOptions): Bench => ({
  summary: 'a simulated show of ten hours, compared with a poll loop for each of its resources',
  async run(onStep, signal) {
    onStep('synthesizing the stack')
    const assembly = await synthesize(signal)
    onStep('simulating a short show, which loads and compiles what the measured ones use')
    await runOrchestrated(assembly, { ...show, duration: 600 })
    const measure = async <T>(words: string, run: () => Promise<T>): Promise<T> => {
      signal.throwIfAborted()
      onStep(words)
      return run()
    }
    const { recordings } = show
    const ours = await measure(`simulating it with ${recordings} recordings`, () => runOrchestrated(assembly, show))
    const polled = await measure('running it by poll loops', () => runPolled(show))
    const many = await measure(`simulating it with ${MANY_RECORDINGS} recordings`, () =>
      runOrchestrated(assembly, { ...show, recordings: MANY_RECORDINGS }),
    )
    return [...besidePollLoops(ours, polled), ...besideFewer(many, ours, recordings)]
  },
})

function besidePollLoops(ours: Orchestrated, polled: Polled): Measurement[] {
  const compare = (work: string, unit: string, key: keyof Polled, atMost: number): Measurement => ({
    work,
    unit,
    value: ours[key],
    baseline: polled[key],
    goal: { atMost, of: 'value' },
  })
  const price = `price of both at ${assumed.seconds * 1000} ms an invocation`
  return [
    compare('simulated, to poll loops', 's', 'seconds', 3),
    compare('events to watch one thing, to poll loops', 'events', 'longest', 5_000),
    compare('executions that failed, to poll loops', 'executions', 'failed', 0),
    compare('state transitions, to poll loops', 'states', 'transitions', 2_500),
    compare('invocations, to poll loops', 'calls', 'invocations', 1_300),
    { work: price, unit: 'US$', value: priceOfUsage(ours), baseline: priceOfUsage(polled) },
  ]
}

/** Measures the cost of more recordings. */
function besideFewer(many: Orchestrated, few: Orchestrated, recordings: number): Measurement[] {
  const words = `${MANY_RECORDINGS} recordings, to ${recordings}`
  const compare = (what: string, unit: string, key: 'transitions' | 'invocations'): Measurement => ({
    work: `${what} with ${words}`,
    unit,
    value: many[key],
    baseline: few[key],
    goal: { atMost: 1.15 },
  })
  return [
    compare('state transitions', 'states', 'transitions'),
    compare('invocations', 'calls', 'invocations'),
    { work: `simulated with ${words}`, unit: 's', value: many.seconds, baseline: few.seconds },
    { work: `longest history with ${words}`, unit: 'events', value: many.longest, baseline: few.longest },
  ]
}
