import { describe, expect, it } from 'vitest'
import { createLocalStates, FUNCTION, failure, START } from './local-states.ts'

const task = (more: object) => ({ Type: 'Task', Resource: FUNCTION, Next: 'Done', ...more })
const Done = { Type: 'Succeed' }

/** A function that fails with these errors, one after the other, and then succeeds. */
const failing =
  (...names: string[]) =>
  () => {
    const name = names.shift()
    if (name) throw failure(name, 'no')
    return 'fine'
  }

describe('Retry', () => {
  it('waits longer each time, counts in the context, and schedules again without a further event', async () => {
    const attempts: unknown[] = []
    const handler = failing('Busy', 'Busy', 'Busy')
    const laptop = createLocalStates({
      task: (payload: unknown) => {
        attempts.push([laptop.clock.now() - START, payload])
        return handler()
      },
    })
    const Retry = [{ ErrorEquals: ['Busy'], IntervalSeconds: 2, BackoffRate: 3, MaxDelaySeconds: 10 }]
    laptop.add({ Try: task({ Arguments: '{% $states.context.State.RetryCount %}', Retry }), Done })
    expect((await laptop.run()).value).toBe('fine')
    expect(attempts).toEqual([
      [0, 0],
      [2_000, 1],
      [8_000, 2],
      [18_000, 3],
    ])
    expect(laptop.chain().slice(1, 8)).toEqual([
      '2<0 TaskStateEntered',
      '3<2 LambdaFunctionScheduled',
      '4<3 LambdaFunctionStarted',
      '5<4 LambdaFunctionFailed',
      '6<5 LambdaFunctionScheduled',
      '7<6 LambdaFunctionStarted',
      '8<7 LambdaFunctionFailed',
    ])
  })

  it('tries three times more by default, and not at all with MaxAttempts 0', async () => {
    const laptop = createLocalStates({ task: failing(...Array(9).fill('Busy')) })
    laptop.add({ Try: task({ Retry: [{ ErrorEquals: ['States.ALL'] }] }), Done })
    expect(await laptop.run()).toMatchObject({ status: 'FAILED', error: 'Busy' })
    expect(laptop.types().filter((type) => type === 'LambdaFunctionFailed')).toHaveLength(4)
    laptop.add({ Try: task({ Retry: [{ ErrorEquals: ['States.ALL'], MaxAttempts: 0 }] }), Done })
    await laptop.run()
    expect(laptop.types().filter((type) => type === 'LambdaFunctionFailed')).toHaveLength(1)
  })

  it('counts each retrier on its own, and the first that matches decides alone', async () => {
    const laptop = createLocalStates({ task: failing('A', 'B', 'A') })
    const Retry = [
      { ErrorEquals: ['A'], MaxAttempts: 1 },
      { ErrorEquals: ['States.ALL'], MaxAttempts: 5 },
    ]
    laptop.add({ Try: task({ Retry }), Done })
    expect(await laptop.run()).toMatchObject({ status: 'FAILED', error: 'A' })
  })

  it('is counted in the context of tasks only', async () => {
    const laptop = createLocalStates({ task: () => 1 })
    const seen = '{% $keys($states.context.State) %}'
    laptop.add({
      Try: task({ Assign: { inTask: seen }, Next: 'Pass' }),
      Pass: { Type: 'Pass', Output: { inTask: '{% $inTask %}', inPass: seen }, End: true },
    })
    expect((await laptop.run()).value).toEqual({
      inTask: ['EnteredTime', 'Name', 'RetryCount'],
      inPass: ['EnteredTime', 'Name'],
    })
  })

  it('draws a jittered delay between nothing and the full one', async () => {
    const laptop = createLocalStates({ task: failing('Busy') }, { random: () => 0.25 })
    laptop.add({ Try: task({ Retry: [{ ErrorEquals: ['Busy'], IntervalSeconds: 8, JitterStrategy: 'FULL' }] }), Done })
    const { startDate, stopDate } = await laptop.run()
    expect(Number(stopDate) - Number(startDate)).toBe(2_000)
  })
})

describe('Catch', () => {
  it('leaves the state with the catcher’s own Output and Assign', async () => {
    const laptop = createLocalStates({ task: failing('Broken') })
    const Catch = [
      { ErrorEquals: ['Other'], Next: 'Done' },
      {
        ErrorEquals: ['Broken'],
        Next: 'Report',
        Output: { error: '{% $states.errorOutput.Error %}', input: '{% $states.input %}' },
        Assign: { cause: '{% $parse($states.errorOutput.Cause) %}' },
      },
    ]
    laptop.add({
      Try: task({ Catch }),
      Report: { Type: 'Pass', Output: { in: '{% $states.input %}', cause: '{% $cause %}' }, End: true },
      Done,
    })
    expect((await laptop.run(1)).value).toEqual({
      in: { error: 'Broken', input: 1 },
      cause: { errorType: 'Broken', errorMessage: 'no' },
    })
    expect(laptop.chain().slice(4, 6)).toEqual(['5<4 LambdaFunctionFailed', '6<5 TaskStateExited'])
  })

  it('puts out the error when it has no Output', async () => {
    const laptop = createLocalStates({ task: failing('Broken') })
    laptop.add({ Try: task({ Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Done' }] }), Done })
    expect((await laptop.run()).value).toMatchObject({ Error: 'Broken' })
  })

  it('is asked only when the attempts are used up', async () => {
    const laptop = createLocalStates({ task: failing('A', 'A') })
    const Retry = [{ ErrorEquals: ['A'], MaxAttempts: 1 }]
    laptop.add({ Try: task({ Retry, Catch: [{ ErrorEquals: ['A'], Next: 'Done', Output: 'caught' }] }), Done })
    expect((await laptop.run()).value).toBe('caught')
  })

  it.each([
    ['States.ALL', 'Anything', true],
    ['States.TaskFailed', 'Anything', true],
    ['States.TaskFailed', 'States.Timeout', false],
    ['States.Timeout', 'States.Timeout', true],
    ['States.ALL', 'States.DataLimitExceeded', true],
    ['States.TaskFailed', 'States.DataLimitExceeded', false],
    ['States.DataLimitExceeded', 'States.DataLimitExceeded', true],
    ['States.ALL', 'States.Runtime', false],
    ['States.Runtime', 'States.Runtime', false],
    ['States.ALL', 'States.QueryEvaluationError', true],
    ['Any', 'Anything', false],
  ])('with %s handles %s: %s', async (matcher, error, isCaught) => {
    const laptop = createLocalStates()
    const branch = { StartAt: 'Break', States: { Break: { Type: 'Fail', Error: error } } }
    const Catch = [{ ErrorEquals: [matcher], Next: 'Done' }]
    laptop.add({ Try: { Type: 'Parallel', Branches: [branch], Catch, Next: 'Done' }, Done })
    expect((await laptop.run()).status).toBe(isCaught ? 'SUCCEEDED' : 'FAILED')
  })

  it('handles an expression that fails in the state, whose event AWS lets follow the one before the state', async () => {
    const laptop = createLocalStates()
    laptop.add({
      Before: { Type: 'Pass', Next: 'Try' },
      Try: task({
        Arguments: { deep: '{% $missing %}' },
        Catch: [{ ErrorEquals: ['States.QueryEvaluationError'], Next: 'Done' }],
      }),
      Done,
    })
    expect((await laptop.run()).value).toEqual({
      Error: 'States.QueryEvaluationError',
      Cause:
        "An error occurred while executing the state 'Try' (entered at the event id #4). The JSONata expression " +
        "'$missing' specified for the field 'Arguments/deep' returned nothing (undefined).",
    })
    expect(laptop.chain().slice(2, 6)).toEqual([
      '3<2 PassStateExited',
      '4<3 TaskStateEntered',
      '5<3 EvaluationFailed',
      '6<5 TaskStateExited',
    ])
    expect(laptop.event('EvaluationFailed')).toMatchObject({ location: 'Arguments/deep', state: 'Try' })
  })
})
