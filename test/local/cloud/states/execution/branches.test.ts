import { describe, expect, it } from 'vitest'
import { createLocalStates, FUNCTION, failure } from '../local-states.ts'

const Done = { Type: 'Succeed' }
const single = (name: string, state: object) => ({ StartAt: name, States: { [name]: { ...state, End: true } } })
const fail = (name: string) => ({ StartAt: name, States: { [name]: { Type: 'Fail', Error: 'Broken', Cause: 'why' } } })
const task = { Type: 'Task', Resource: FUNCTION }

describe('Parallel', () => {
  it('runs its branches at once and collects their outputs in order', async () => {
    const laptop = createLocalStates()
    laptop.add({
      Both: {
        Type: 'Parallel',
        Arguments: { n: '{% $states.input %}' },
        Branches: [
          single('Slow', { Type: 'Wait', Seconds: 9 }),
          single('Fast', { Type: 'Wait', Seconds: 4, Output: 'fast' }),
        ],
        Output: '{% {"results": $states.result, "input": $states.input} %}',
        End: true,
      },
    })
    const { value, startDate, stopDate } = await laptop.run(1)
    expect(value).toEqual({ results: [{ n: 1 }, 'fast'], input: 1 })
    expect(Number(stopDate) - Number(startDate)).toBe(9_000)
    expect(laptop.chain()).toEqual([
      '1<0 ExecutionStarted',
      '2<0 ParallelStateEntered',
      '3<2 ParallelStateStarted',
      '4<3 WaitStateEntered',
      '5<3 WaitStateEntered',
      '6<5 WaitStateExited',
      '7<4 WaitStateExited',
      '8<7 ParallelStateSucceeded',
      '9<7 ParallelStateExited',
      '10<9 ExecutionSucceeded',
    ])
  })

  it('stops the other branches when one fails, at once and with everything inside them', async () => {
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
    const nested = { Type: 'Parallel', Branches: [single('Pause', { Type: 'Wait', Seconds: 900 })] }
    const late = {
      StartAt: 'Later',
      States: { Later: { Type: 'Wait', Seconds: 5, Next: 'Break' }, ...fail('Break').States },
    }
    laptop.add({
      All: {
        Type: 'Parallel',
        Branches: [single('Do', task), single('Nest', nested), late],
        Catch: [{ ErrorEquals: ['Broken'], Next: 'Done' }],
        Next: 'Done',
      },
      Done,
    })
    const { value, startDate, stopDate } = await laptop.run()
    expect(value).toEqual({ Error: 'Broken', Cause: 'why' })
    expect(Number(stopDate) - Number(startDate)).toBe(5_000)
    expect(reason).toBeInstanceOf(Error)
    expect(laptop.clock.nextDue()).toBeUndefined()
    const [failed, ...after] = laptop.chain().slice(laptop.types().indexOf('FailStateEntered'))
    expect(failed).toBe('12<11 FailStateEntered')
    expect(after).toEqual([
      '13<12 TaskStateAborted',
      '14<12 ParallelStateAborted',
      '15<12 WaitStateAborted',
      '16<12 ParallelStateFailed',
      '17<16 ParallelStateExited',
      '18<17 SucceedStateEntered',
      '19<18 SucceedStateExited',
      '20<19 ExecutionSucceeded',
    ])
  })

  it('is retried as a whole, and says that it failed only at the end', async () => {
    const laptop = createLocalStates()
    const Retry = [{ ErrorEquals: ['Broken'], MaxAttempts: 2 }]
    laptop.add({ Both: { Type: 'Parallel', Branches: [fail('Break')], Retry, End: true } })
    expect(await laptop.run()).toMatchObject({ status: 'FAILED', error: 'Broken', cause: 'why' })
    expect(laptop.chain().slice(2)).toEqual([
      '3<2 ParallelStateStarted',
      '4<3 FailStateEntered',
      '5<4 ParallelStateStarted',
      '6<5 FailStateEntered',
      '7<6 ParallelStateStarted',
      '8<7 FailStateEntered',
      '9<8 ParallelStateFailed',
      '10<9 ExecutionFailed',
    ])
  })

  it('reports the failed task of a branch as aborted too, as AWS does', async () => {
    const laptop = createLocalStates({
      task: () => {
        throw failure('Broken')
      },
    })
    laptop.add({ Both: { Type: 'Parallel', Branches: [single('Do', task)], End: true } })
    await laptop.run()
    expect(laptop.chain().slice(6)).toEqual([
      '7<6 LambdaFunctionFailed',
      '8<7 TaskStateAborted',
      '9<7 ParallelStateFailed',
      '10<9 ExecutionFailed',
    ])
  })
})

describe('Map', () => {
  const map = (more: object, processor: object = single('Same', { Type: 'Pass' })) => ({
    Each: { Type: 'Map', ItemProcessor: { ProcessorConfig: { Mode: 'INLINE' }, ...processor }, End: true, ...more },
  })

  it('runs its processor for each item of its input, with AWS’s events', async () => {
    const laptop = createLocalStates()
    laptop.add(map({ MaxConcurrency: 1 }))
    expect((await laptop.run(['a', 'b'])).value).toEqual(['a', 'b'])
    expect(laptop.chain()).toEqual([
      '1<0 ExecutionStarted',
      '2<0 MapStateEntered',
      '3<2 MapStateStarted',
      '4<3 MapIterationStarted',
      '5<4 PassStateEntered',
      '6<5 PassStateExited',
      '7<6 MapIterationSucceeded',
      '8<6 MapIterationStarted',
      '9<8 PassStateEntered',
      '10<9 PassStateExited',
      '11<10 MapIterationSucceeded',
      '12<11 MapStateSucceeded',
      '13<11 MapStateExited',
      '14<13 ExecutionSucceeded',
    ])
    expect(laptop.event('MapStateStarted')).toEqual({ length: 2 })
    expect(laptop.event('MapIterationStarted')).toEqual({ name: 'Each', index: 0 })
  })

  it('takes Items, and shapes each with ItemSelector, which sees item and index', async () => {
    const laptop = createLocalStates()
    const ItemSelector = {
      at: '{% $states.context.Map.Item.Index %}',
      value: '{% $states.context.Map.Item.Value %}',
      from: '{% $states.input.name %}',
    }
    const processor = single('Show', { Type: 'Pass', Output: '{% [$states.input, $states.context.Map.Item.Index] %}' })
    laptop.add(map({ Items: '{% $states.input.list %}', ItemSelector }, processor))
    expect((await laptop.run({ name: 'n', list: ['x'] })).value).toEqual([[{ at: 0, value: 'x', from: 'n' }, 0]])
  })

  it('ends at once without items', async () => {
    const laptop = createLocalStates()
    laptop.add(map({ Items: [] }))
    expect((await laptop.run()).value).toEqual([])
  })

  it.each([
    ['{% $states.input %}', 2],
    [0, 40],
    [100, 40],
  ])('runs MaxConcurrency %s as at most %d at once', async (MaxConcurrency, expected) => {
    let running = 0
    let most = 0
    const laptop = createLocalStates({
      task: async () => {
        most = Math.max(most, ++running)
        await laptop.clock.sleep(10)
        running--
      },
    })
    laptop.add(map({ Items: '{% [1..50] %}', MaxConcurrency }, single('Do', task)))
    expect((await laptop.run(2)).status).toBe('SUCCEEDED')
    expect(most).toBe(expected)
  })

  it('fails with the iteration that fails and stops the others', async () => {
    const laptop = createLocalStates({
      task: async (n: number) => {
        await laptop.clock.sleep(n)
        throw failure('Broken', `item ${n}`)
      },
    })
    laptop.add(map({ Items: [10, 20] }, single('Do', task)))
    expect(await laptop.run()).toMatchObject({ status: 'FAILED', error: 'Broken' })
    expect(laptop.chain().slice(11)).toEqual([
      '12<8 LambdaFunctionFailed',
      '13<12 MapIterationFailed',
      '14<12 TaskStateAborted',
      '15<12 MapIterationAborted',
      '16<12 TaskStateAborted',
      '17<12 MapStateFailed',
      '18<17 ExecutionFailed',
    ])
  })

  const failOdd = {
    StartAt: 'Odd',
    States: {
      Odd: { Type: 'Choice', Choices: [{ Condition: '{% $states.input % 2 = 1 %}', Next: 'Break' }], Default: 'Same' },
      Same: { Type: 'Pass', End: true },
      Break: { Type: 'Fail', Error: 'Odd', Cause: 'why' },
    },
  }

  it.each([
    { ToleratedFailureCount: 2 },
    { ToleratedFailurePercentage: 50 },
    { ToleratedFailureCount: '{% $states.input %}' },
  ])('continues with %o', async (tolerance) => {
    const laptop = createLocalStates()
    laptop.add(map({ Items: [0, 1, 2, 3], ...tolerance }, failOdd))
    const odd = { Error: 'Odd', Cause: 'why' }
    expect((await laptop.run(2)).value).toEqual([0, odd, 2, odd])
    expect(laptop.types().filter((type) => type === 'MapIterationFailed')).toHaveLength(2)
  })

  it('fails with States.ExceedToleratedFailureThreshold beyond it', async () => {
    const laptop = createLocalStates()
    laptop.add(map({ Items: [0, 1, 2, 3], ToleratedFailureCount: 1 }, failOdd))
    expect(await laptop.run()).toMatchObject({ status: 'FAILED', error: 'States.ExceedToleratedFailureThreshold' })
  })

  it('fails when Items yields no array', async () => {
    const laptop = createLocalStates()
    laptop.add(map({ Items: '{% 1 %}' }))
    const cause =
      "An error occurred while executing the state 'Each' (entered at the event id #2). The JSONata expression '1' " +
      "specified for the field 'Items' returned an unexpected result type. Expected 'array', but was 'number' for value: 1"
    expect(await laptop.run()).toMatchObject({ error: 'States.QueryEvaluationError', cause })
    expect(laptop.chain().slice(2)).toEqual(['3<0 EvaluationFailed', '4<3 MapStateFailed', '5<4 ExecutionFailed'])
  })

  it('fails without Items when its input is not an array, which can be caught', async () => {
    const laptop = createLocalStates()
    laptop.add(map({}))
    const cause =
      "An error occurred while executing the state 'Each' (entered at the event id #2). " +
      'Map state input must be an array but was: {"foo":"bar"}'
    expect(await laptop.run({ foo: 'bar' })).toMatchObject({ error: 'States.QueryEvaluationError', cause })
    expect(laptop.chain().slice(2)).toEqual(['3<0 EvaluationFailed', '4<3 MapStateFailed', '5<4 ExecutionFailed'])
    expect(laptop.event('EvaluationFailed')).toEqual({ error: 'States.QueryEvaluationError', cause, state: 'Each' })
    const Done = { Type: 'Succeed', Output: 'caught' }
    laptop.add({ ...map({ Catch: [{ ErrorEquals: ['States.QueryEvaluationError'], Next: 'Done' }] }), Done })
    expect((await laptop.run(1)).value).toBe('caught')
  })
})
