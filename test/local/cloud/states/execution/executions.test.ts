import { describe, expect, it } from 'vitest'
import type { ExecutionStatusChange } from '../../../../../local/cloud/states/status-change.ts'
import { createLocalStates, FUNCTION, failure, MACHINE, START } from '../local-states.ts'

const Done = { Type: 'Succeed' }
const pause = { Pause: { Type: 'Wait', Seconds: 60, Next: 'Done' }, Done }
const code = (name: string) => expect.objectContaining({ name })

describe('startExecution', () => {
  it('is idempotent only while the execution of that name runs with identical input', async () => {
    const laptop = createLocalStates()
    laptop.add(pause)
    const start = (input: string) => laptop.states.startExecution({ stateMachineArn: MACHINE, name: 'one', input })
    const first = start('{"a":1}')
    await laptop.clock.advance(1_000)
    expect(start('{"a":1}')).toEqual(first)
    expect(() => start('{"a": 1}')).toThrow(code('ExecutionAlreadyExists'))
    await laptop.clock.advance(60_000)
    expect(() => start('{"a":1}')).toThrow(code('ExecutionAlreadyExists'))
  })

  it.each(['', 'a'.repeat(81), 'a:b', 'a b', 'a/b', 'a*', '<a>', 'a,b', 'a"b', 'a\u0001'])(
    'refuses the name %j',
    (name) => {
      const laptop = createLocalStates()
      laptop.add(pause)
      expect(() => laptop.states.startExecution({ stateMachineArn: MACHINE, name })).toThrow(code('InvalidName'))
    },
  )

  it('takes a name of 80 characters, dots and underscores among them', () => {
    const laptop = createLocalStates()
    laptop.add(pause)
    expect(laptop.start({}, `a.b_C-1${'x'.repeat(73)}`)).toMatch(/:execution:show:a\.b_C-1x{73}$/)
  })

  it('refuses input that is not JSON or larger than 256 KiB', () => {
    const laptop = createLocalStates()
    laptop.add(pause)
    const start = (input: string) => laptop.states.startExecution({ stateMachineArn: MACHINE, input })
    expect(() => start('not json')).toThrow(code('InvalidExecutionInput'))
    expect(() => start('')).toThrow(code('InvalidExecutionInput'))
    expect(() => start(JSON.stringify('é'.repeat(131_072)))).toThrow(code('InvalidExecutionInput'))
    expect(start(JSON.stringify('é'.repeat(131_071)))).toHaveProperty('executionArn')
  })

  it('knows versioned machine ARNs, and says by which version an execution was started', () => {
    const laptop = createLocalStates()
    laptop.add(pause)
    const definition = { QueryLanguage: 'JSONata', StartAt: 'Pause', States: pause }
    laptop.states.addMachine({ arn: `${MACHINE}:3`, name: 'show', definition })
    const { executionArn } = laptop.states.startExecution({ stateMachineArn: `${MACHINE}:3`, name: 'x' })
    expect(executionArn).toBe('arn:aws:states:eu-west-1:000000000000:execution:show:x')
    expect(laptop.states.describeExecution({ executionArn })).toMatchObject({
      stateMachineArn: MACHINE,
      stateMachineVersionArn: `${MACHINE}:3`,
    })
    laptop.start()
    expect(laptop.states.listExecutions({ stateMachineArn: `${MACHINE}:3` })).toHaveLength(1)
    expect(laptop.states.listExecutions({ stateMachineArn: MACHINE })).toHaveLength(2)
    const start = () => laptop.states.startExecution({ stateMachineArn: `${MACHINE}:4` })
    expect(start).toThrow(code('StateMachineDoesNotExist'))
  })

  it('refuses a machine that is not there and an ARN that is none', () => {
    const laptop = createLocalStates()
    expect(() => laptop.start()).toThrow(code('StateMachineDoesNotExist'))
    expect(() => laptop.states.startExecution({ stateMachineArn: 'show' })).toThrow(code('InvalidArn'))
  })
})

describe('an execution', () => {
  it('times out with its machine', async () => {
    const laptop = createLocalStates()
    laptop.add(pause, { TimeoutSeconds: 10 })
    const description = await laptop.run()
    expect(description.status).toBe('TIMED_OUT')
    expect(Number(description.stopDate)).toBe(START + 10_000)
    expect(laptop.types()).toEqual(['ExecutionStarted', 'WaitStateEntered', 'ExecutionTimedOut'])
    expect(laptop.clock.nextDue()).toBeUndefined()
  })

  it('fails when its history reaches 25,000 events', async () => {
    const laptop = createLocalStates()
    laptop.add({ A: { Type: 'Pass', Next: 'B' }, B: { Type: 'Pass', Next: 'A' } })
    const { status, error, cause, executionArn } = await laptop.run()
    expect([status, error]).toEqual(['FAILED', 'States.Runtime'])
    expect(cause).toContain('25000')
    expect(laptop.types()).toHaveLength(25_000)
    expect(laptop.types().at(-1)).toBe('ExecutionFailed')
    expect(() => laptop.states.redriveExecution({ executionArn })).toThrow(code('ExecutionNotRedrivable'))
  })

  it('fails likewise inside a Map, whose iterations all end', async () => {
    const laptop = createLocalStates()
    const processor = { StartAt: 'A', States: { A: { Type: 'Pass', Next: 'B' }, B: { Type: 'Pass', Next: 'A' } } }
    laptop.add({ Each: { Type: 'Map', Items: [1, 2, 3], ItemProcessor: processor, End: true } })
    expect(await laptop.run()).toMatchObject({ status: 'FAILED', error: 'States.Runtime' })
    expect(laptop.types()).toHaveLength(25_000)
  })

  it('leaves the same history on every run', async () => {
    const history = async () => {
      const laptop = createLocalStates({
        task: async (n: number) => {
          await laptop.clock.sleep((n * 7919) % 1000)
          if (n % 3 === 0) throw failure('Busy')
          return n
        },
      })
      const task = {
        Type: 'Task',
        Resource: FUNCTION,
        Retry: [{ ErrorEquals: ['Busy'], JitterStrategy: 'FULL' }],
        Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Draw' }],
        Next: 'Draw',
      }
      const Draw = { Type: 'Pass', Output: '{% [$random(), $uuid(), $millis()] %}', End: true }
      const ItemProcessor = { StartAt: 'Do', States: { Do: task, Draw } }
      laptop.add({ Each: { Type: 'Map', Items: '{% [1..20] %}', MaxConcurrency: 7, ItemProcessor, End: true } })
      const { executionArn } = await laptop.run()
      return laptop.states.executionHistory({ executionArn })
    }
    const first = await history()
    expect(first.length).toBeGreaterThan(200)
    expect(await history()).toEqual(first)
  })

  it('is forgotten once a thousand others finished after it', async () => {
    const laptop = createLocalStates()
    laptop.add({ Done })
    const oldest = laptop.start()
    await laptop.clock.advance(0)
    for (let count = 0; count < 1_000; count++) laptop.start()
    expect(laptop.states.describeExecution({ executionArn: oldest }).status).toBe('SUCCEEDED')
    await laptop.clock.advance(0)
    expect(() => laptop.states.describeExecution({ executionArn: oldest })).toThrow(code('ExecutionDoesNotExist'))
    expect(laptop.states.listExecutions({ stateMachineArn: MACHINE })).toHaveLength(1_000)
  })

  it('is forgotten on request once it has finished', async () => {
    const laptop = createLocalStates()
    laptop.add({ Wait: { Type: 'Wait', Seconds: 1, Next: 'Done' }, Done })
    const executionArn = laptop.start()
    laptop.states.forget({ executionArn })
    expect(laptop.states.isRunning({ executionArn })).toBe(true)
    await laptop.clock.advance(1_000)
    expect(laptop.states.isRunning({ executionArn })).toBe(false)
    for (let times = 0; times < 2; times++) laptop.states.forget({ executionArn })
    expect(() => laptop.states.describeExecution({ executionArn })).toThrow(code('ExecutionDoesNotExist'))
  })
})

describe('stopExecution', () => {
  it('aborts a wait and a task at once', async () => {
    let reason: unknown
    const laptop = createLocalStates({
      task: (_: unknown, signal: AbortSignal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => {
            reason = signal.reason
            reject(reason)
          }),
        ),
    })
    const branches = [
      { StartAt: 'Pause', States: { Pause: { Type: 'Wait', Seconds: 99, End: true } } },
      { StartAt: 'Do', States: { Do: { Type: 'Task', Resource: FUNCTION, End: true } } },
    ]
    laptop.add({ Both: { Type: 'Parallel', Branches: branches, End: true } })
    const executionArn = laptop.start()
    await laptop.clock.advance(2_000)
    const stopped = laptop.states.stopExecution({ executionArn, error: 'Enough', cause: 'asked to' })
    expect(Number(stopped.stopDate)).toBe(START + 2_000)
    expect(reason).toBeInstanceOf(Error)
    expect(laptop.clock.nextDue()).toBeUndefined()
    await laptop.clock.advance(100_000)
    expect(laptop.states.describeExecution({ executionArn })).toMatchObject({
      status: 'ABORTED',
      error: 'Enough',
      cause: 'asked to',
    })
    expect(laptop.chain().at(-1)).toBe('8<0 ExecutionAborted')
    expect(laptop.states.stopExecution({ executionArn })).toEqual(stopped)
  })

  it('ends a wait for the next attempt', async () => {
    const laptop = createLocalStates({
      task: () => {
        throw failure('Busy')
      },
    })
    laptop.add({
      Do: { Type: 'Task', Resource: FUNCTION, Retry: [{ ErrorEquals: ['Busy'], IntervalSeconds: 50 }], End: true },
    })
    const executionArn = laptop.start()
    await laptop.clock.advance(1_000)
    laptop.states.stopExecution({ executionArn })
    await laptop.clock.advance(100_000)
    expect(laptop.types()).toHaveLength(6)
    expect(laptop.types().at(-1)).toBe('ExecutionAborted')
  })
})

describe('onStatusChange', () => {
  it('reports every change as AWS’s event does', async () => {
    const changes: ExecutionStatusChange[] = []
    const laptop = createLocalStates({}, { onStatusChange: (detail) => changes.push(detail) })
    laptop.add({ End: { Type: 'Fail', Error: 'Broken' } })
    const { executionArn, name } = await laptop.run('in')
    laptop.states.redriveExecution({ executionArn })
    await laptop.clock.advance(0)
    expect(changes.map(({ status }) => status)).toEqual(['RUNNING', 'FAILED', 'RUNNING', 'FAILED'])
    expect(changes[1]).toEqual({
      executionArn,
      stateMachineArn: MACHINE,
      name,
      status: 'FAILED',
      startDate: START,
      stopDate: START,
      input: '"in"',
      output: null,
      stateMachineVersionArn: null,
      stateMachineAliasArn: null,
      redriveCount: 0,
      redriveDate: null,
      redriveStatus: 'REDRIVABLE',
      redriveStatusReason: null,
      inputDetails: { included: true },
      outputDetails: null,
      error: 'Broken',
      cause: null,
    })
  })
})

describe('close', () => {
  it('aborts what runs, waits for the functions, and refuses to start more', async () => {
    let isSettled = false
    const laptop = createLocalStates({
      task: async (_: unknown, signal: AbortSignal) => {
        await laptop.clock.sleep(1_000_000, signal).catch(() => undefined)
        await Promise.resolve()
        isSettled = true
      },
    })
    laptop.add({ Do: { Type: 'Task', Resource: FUNCTION, End: true } })
    const executionArn = laptop.start()
    await laptop.clock.advance(1_000)
    await laptop.states.close()
    expect(isSettled).toBe(true)
    expect(laptop.states.describeExecution({ executionArn }).status).toBe('ABORTED')
    expect(() => laptop.start()).toThrow(code('ServiceUnavailable'))
  })
})
