import { afterEach, describe, expect, it } from 'vitest'
import { createSteppedClock } from '../../../../lib/clock.ts'
import type { Services } from '../../../../lib/services.ts'
import type { FunctionSpec, InvocationContext } from '../../../../local/cloud/functions/function.ts'
import { createFunctions, type EnvironmentHandle } from '../../../../local/simulation/environment/functions.ts'
import type { MakeHandler } from '../../../../local/simulation/environment/handlers.ts'
import type { FaultKind } from '../../../../local/simulation/faults/fault.ts'
import { createInjectedFaults } from '../../../../local/simulation/faults/faults.ts'
import { orderFault } from '../../../../local/simulation/faults/order-fault.ts'
import { createQuiescence } from '../../../../local/simulation/scheduling/quiescence.ts'
import { createRandom } from '../../../../local/simulation/scheduling/random.ts'
import { createOrderScheduler } from '../../../../local/simulation/scheduling/scheduler.ts'
import { createTrace } from '../../../../local/simulation/trace.ts'

const spec = { logicalId: 'StartShow1A2B3C4D', name: 'StartShow', timeout: 10, environment: {} } as FunctionSpec
const context = {} as InvocationContext

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A function `StartShow` with this handler, on services that only return their environment’s name and end. */
function open(
  make: (environment: EnvironmentHandle, clock: Clock) => ReturnType<MakeHandler>,
  kind?: FaultKind,
  twice?: number,
) {
  const quiescence = createQuiescence()
  closing.push(quiescence.close)
  const clock = createSteppedClock(0)
  const trace = createTrace(clock)
  const decide = kind && orderFault({ caller: 'cloud', operation: 'lambda StartShow' }, { kind })
  const faults = createInjectedFaults({ decide, now: clock.now, trace })
  const scheduler = createOrderScheduler({ quiescence, clock, random: createRandom(1, 'order'), onStep: () => false })
  const invoke = createFunctions({
    handlers: new Map([['StartShow', (services) => make(services as never, clock)]]),
    leftOut: { StartPublish: 'media is off' },
    servicesFor: (_spec, life) => life as unknown as Services,
    faults,
    clock,
    scheduler,
    trace,
    ...(twice && { twice: { share: twice, random: createRandom(1, 'twice') } }),
  })
  return { invoke: (event: unknown) => invoke(spec, event, context), call: invoke, scheduler, trace, clock, faults }
}
type Clock = ReturnType<typeof createSteppedClock>

describe('createFunctions', () => {
  it('hands event and result over as JSON', async () => {
    const { invoke, scheduler } = open(() => async (event) => ({ event, nothing: undefined }))
    const result = await scheduler.drive(() => invoke({ at: new Date(0), nothing: undefined }))
    expect(result).toStrictEqual({ event: { at: '1970-01-01T00:00:00.000Z' } })
  })

  it('keeps an environment for the next event, and makes another for one at the same time', async () => {
    const { invoke, scheduler, trace } = open(({ name }, clock) => async () => {
      await clock.sleep(1_000)
      return name
    })
    const names = await scheduler.drive(async () => [...(await Promise.all([invoke(1), invoke(2)])), await invoke(3)])
    expect(names.slice(0, 2).toSorted()).toEqual(['StartShow', 'StartShow/2'])
    expect(['StartShow', 'StartShow/2']).toContain(names[2])
    expect(trace.lines.filter((line) => line.endsWith('invoked'))).toHaveLength(3)
  })

  it('invokes a function twice for an event, and once for a task of a machine', async () => {
    const events: unknown[] = []
    const { invoke, scheduler, clock, faults } = open(() => async (event) => void events.push(event), undefined, 1)
    await scheduler.drive(async () => {
      await Promise.all([invoke({ detail: 1 }), invoke({ execution: 'arn' })])
      await clock.sleep(60_000)
    })
    expect(events).toEqual(expect.arrayContaining([{ detail: 1 }, { detail: 1 }, { execution: 'arn' }]))
    expect(events).toHaveLength(3)
    expect(faults.counts).toEqual({ 'invoked twice': 1 })
  })

  it.each([
    { showId: 'a-show' },
    { request: { showId: 'a-show' } },
    { pathParameters: { id: 'a-show' } },
    { detail: { showId: 'a-show' } },
    { event: { showId: 'a-show' } },
    { scheduleId: 'a-show' },
  ])('attributes a fault to the show of the event %j', async (event) => {
    const { invoke, scheduler, faults } = open(() => async () => null, 'throttled')
    await scheduler.drive(() => invoke(event)).catch(() => {})
    expect(faults.failedCalls.map(({ show }) => show)).toEqual(['a-show'])
  })

  it('fails as the handler does, by the error’s name and message', async () => {
    const { invoke, scheduler } = open(() => () => Promise.reject(new RangeError('too far')))
    await expect(scheduler.drive(() => invoke(1))).rejects.toMatchObject({ name: 'RangeError', message: 'too far' })
  })

  it('ends an environment that takes longer than its timeout, and all that it still wants', async () => {
    const gone: AbortSignal[] = []
    const { invoke, scheduler, trace } = open((environment) => {
      gone.push(environment.gone)
      return () => new Promise(() => {})
    })
    await expect(scheduler.drive(() => invoke(1))).rejects.toMatchObject({
      name: 'Sandbox.Timedout',
      message: 'Task timed out after 10.00 seconds',
    })
    expect(trace.seconds()).toBe(10)
    expect(gone.map(({ aborted }) => aborted)).toEqual([true])
    await expect(scheduler.drive(() => invoke(2))).rejects.toThrow('timed out')
    expect(gone).toHaveLength(2)
  })

  it('notes what is left out, with the reason', async () => {
    const { call, scheduler, trace } = open(() => async () => 'never')
    await scheduler.drive(() => call({ ...spec, logicalId: 'StartPublish0A0A0A0A' }, {}, context))
    expect(trace.lines).toEqual(['    0.000 cloud -> StartPublish left out: media is off'])
  })

  it('refuses a function it has no handler for', async () => {
    const { call, scheduler } = open(() => async () => 'never')
    await expect(scheduler.drive(() => call({ ...spec, logicalId: 'Other0A0A0A0A' }, {}, context))).rejects.toThrow(
      'There is no handler for Other0A0A0A0A.',
    )
  })

  it.each([
    ['throttled', 'Lambda.TooManyRequestsException', 0, 0],
    ['crashed before', 'Runtime.ExitError', 0, 0],
    ['crashed after', 'Runtime.ExitError', 1, 0],
    ['timed out before', 'Sandbox.Timedout', 0, 10],
    ['timed out after', 'Sandbox.Timedout', 1, 10],
  ] as const)('fails an invocation that is %s, and the next one not', async (kind, name, done, seconds) => {
    let times = 0
    const { invoke, scheduler, trace, faults } = open(() => async () => ++times, kind)
    await expect(scheduler.drive(() => invoke(1))).rejects.toMatchObject({ name })
    expect([times, trace.seconds(), faults.counts]).toEqual([done, seconds, { [kind]: 1 }])
    await expect(scheduler.drive(() => invoke(2))).resolves.toBe(done + 1)
  })

  it('ends an environment that is killed while it works', async () => {
    const lives: EnvironmentHandle[] = []
    const { invoke, scheduler } = open((life) => {
      lives.push(life)
      return async () => (lives.length === 1 ? new Promise(() => life.kill()) : 'well')
    })
    await expect(scheduler.drive(() => invoke(1))).rejects.toMatchObject({ name: 'Runtime.ExitError' })
    expect(lives[0]?.gone.aborted).toBe(true)
    await expect(scheduler.drive(() => invoke(2))).resolves.toBe('well')
    expect(lives.map(({ name }) => name)).toEqual(['StartShow', 'StartShow/2'])
  })
})
